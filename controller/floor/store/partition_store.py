"""The command ``floor FILE --partition``: a store's rounds are changed over to partitions."""

from sqlalchemy.exc import DBAPIError

from controller.floor.store.engine import StoreAwayError, StoreError, error_text, open_engine, parse_url
from controller.floor.store.partitioning import ReportStep, change_over
from controller.floor.store.partitions import is_partitioned


def partition_store(url: str, report: ReportStep) -> None:
    """Change a store over to partitions, if its rounds are in one table; else make those of the coming months.

    Raises:
        NoPartmanError: what makes partitions is not there.
        StoreAwayError: the database does not answer, or the change-over failed; the store is as it was.
        StoreError: it is no store in PostgreSQL.
    """
    if parse_url(url).get_backend_name() != "postgresql":
        raise StoreError("store.url names SQLite, which has no partitions; a store there is one file, and stays so")
    engine = open_engine(url)
    try:
        with engine.begin() as db:
            if is_partitioned(db):
                report("the rounds are in partitions already; nothing was changed")
                return
            change_over(db, report)
    except DBAPIError as error:
        raise StoreAwayError(f"nothing was changed: {error_text(error)}") from error
    finally:
        engine.dispose()
