/* Pulls the lines of a simulated GPIO chip as a train of edges says: drive CHIP_FOLDER < TRAIN
 *
 * A line of the train is "MICROSECONDS LINE LEVEL": when, counted from the start, a line goes up (1) or down (0).
 * Whoever is held up for long does not hurry afterwards: the rest of the train comes as much later. Prints how long
 * it took, and how long it was held up.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 64, HELD_UP_US = 3000 };

static long long now_us(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000LL + at.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
    static int files[LINES];
    char path[512];
    long long at_us, start_us = now_us(), begun_us = start_us;
    int line, level;

    if (argc != 2)
        return 2;
    while (scanf("%lld %d %d", &at_us, &line, &level) == 3) {
        if (line < 0 || line >= LINES)
            return 2;
        if (!files[line]) {
            snprintf(path, sizeof path, "%s/sim_gpio%d/pull", argv[1], line);
            files[line] = open(path, O_WRONLY);
            if (files[line] < 0) {
                perror(path);
                return 1;
            }
        }
        while (now_us() - start_us < at_us) {
            long long left = at_us - (now_us() - start_us);
            if (left > 300)
                usleep(left - 200);
        }
        if (now_us() - start_us - at_us > HELD_UP_US)
            start_us = now_us() - at_us;
        if (level ? pwrite(files[line], "pull-up", 7, 0) != 7 : pwrite(files[line], "pull-down", 9, 0) != 9) {
            perror("pull");
            return 1;
        }
    }
    printf("{\"drove_s\": %.3f, \"held_up_s\": %.3f}\n", (now_us() - begun_us) / 1e6, (start_us - begun_us) / 1e6);
    return 0;
}
