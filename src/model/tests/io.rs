use super::*;

/// What `fs.aio-nr` grew by when each server started, without the few that it takes for other things.
#[test]
fn asynchronous_requests_are_those_that_the_kernel_counted() {
    for (text, read, write, counted) in [
        ("mysql-5.6.24", 4, 4, 2560),
        ("mysql-5.6.24", 16, 8, 6656),
        ("mysql-9.7.4", 4, 4, 2304),
        ("mysql-9.7.4", 16, 8, 6400),
        ("mariadb-10.5.23", 4, 4, 2048),
        ("mariadb-10.5.23", 16, 8, 6144),
    ] {
        let mut reader = on(text).with(id::INNODB_READ_IO_THREADS, read).with(id::INNODB_WRITE_IO_THREADS, write);
        assert_eq!(reader.number(ModelId::IoAsyncRequests), counted, "{text}: {read} and {write}");
    }
    assert_eq!(on("mariadb-10.11.19").of(ModelId::IoAsyncRequests), Outcome::Absent);
}
