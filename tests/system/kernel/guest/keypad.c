/* A matrix keypad on the lines of a simulated GPIO chip: keypad CHIP_FOLDER ROWS COLUMNS < KEYS
 *
 * ROWS and COLUMNS are lines, with commas between them; a line of KEYS is the row and the column of a key to press,
 * counted from 0. While a key is down its column follows its row, as the contact of a key has it. At the end it prints
 * how often it looked at a row so late that the keypad's reader may have looked in vain: the machine was held up.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8, DOWN_MS = 500, UP_MS = 250, STEP_US = 300, LATE_US = 1500 };

static int open_lines(const char *chip, const char *what, char *list, int *files)
{
    char path[512];
    int number = 0;

    for (char *line = strtok(list, ","); line && number < MOST; line = strtok(NULL, ",")) {
        snprintf(path, sizeof path, "%s/sim_gpio%s/%s", chip, line, what);
        files[number] = open(path, O_RDWR);
        if (files[number++] < 0) {
            perror(path);
            exit(1);
        }
    }
    return number;
}

static long now_us(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000L + at.tv_nsec / 1000;
}

static void pull(int column, int up)
{
    if (pwrite(column, up ? "pull-up" : "pull-down", up ? 7 : 9, 0) < 0)
        exit(1);
}

int main(int argc, char **argv)
{
    struct sched_param first = {.sched_priority = 10};
    int rows[MOST], columns[MOST], row, column, row_count, column_count, late = 0;

    if (argc != 4)
        return 2;
    row_count = open_lines(argv[1], "value", argv[2], rows);
    column_count = open_lines(argv[1], "pull", argv[3], columns);
    sched_setscheduler(0, SCHED_FIFO, &first);
    while (scanf("%d %d", &row, &column) == 2) {
        long looked_us = now_us(), end_us = looked_us + DOWN_MS * 1000;
        char is = '1', was = '1';
        if (row < 0 || row >= row_count || column < 0 || column >= column_count)
            return 2;
        while (looked_us < end_us) {
            if (pread(rows[row], &is, 1, 0) != 1)
                return 1;
            if (is != was)
                pull(columns[column], is == '1');
            was = is;
            usleep(STEP_US);
            late += now_us() - looked_us > LATE_US;
            looked_us = now_us();
        }
        pull(columns[column], 1);
        usleep(UP_MS * 1000);
    }
    printf("{\"late\": %d}\n", late);
    return 0;
}
