use super::*;
use crate::model::memory::{Machine, demand};
use crate::model::pool::{PoolGrid, SMALLEST_POOL, pool_share, pool_shares};
use proptest::prelude::*;

const VERSIONS: &[&str] = &[
    "mysql-5.6.24",
    "mysql-5.7.44",
    "mysql-8.0.28",
    "mysql-8.4.8",
    "mysql-9.7.4",
    "mariadb-10.4.34",
    "mariadb-10.5.23",
    "mariadb-10.11.19",
    "mariadb-11.8.9",
];

fn host(text: &str, ram: i128, cpus: i128) -> Fake {
    on(text).fact(FactId::HostRam, ram).fact(FactId::HostCpus, cpus)
}

fn is_overcommitted(reader: &mut Fake) -> bool {
    reader.number(ModelId::MemoryExpectedPeak) > reader.number(ModelId::MemoryAvailable)
}

#[test]
fn three_quarters_of_a_dedicated_machine_are_silent_from_4_gib_up() {
    for text in VERSIONS {
        for gib in [4, 5, 6, 7, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024] {
            let mut reader = host(text, gib * GIB, gib.min(64)).with(id::INNODB_BUFFER_POOL_SIZE, gib * GIB * 3 / 4);
            // Where chunks do not fit, the server takes more than was written: 5 GiB for 4.5 GiB in 8 instances.
            if reader.number(ModelId::MemoryPool) > gib * GIB * 3 / 4 {
                assert!(text.starts_with("mysql") || text.starts_with("mariadb-10.4"), "{text}, {gib}G");
                continue;
            }
            assert!(!is_overcommitted(&mut reader), "{text}, {gib}G: {:?}", demand(&mut reader));
            assert!(gib * GIB * 3 / 4 <= reader.number(ModelId::MemoryPoolCeiling), "{text}, {gib}G");
        }
    }
}

#[test]
fn the_import_of_a_16_gib_machine_fits() {
    let mut reader = host("mysql-8.0.28", 16 * GIB, 4)
        .with(id::INNODB_BUFFER_POOL_SIZE, 12 * GIB)
        .with(id::INNODB_LOG_BUFFER_SIZE, 128 * MIB);
    assert!(!is_overcommitted(&mut reader));
    assert!(reader.number(ModelId::MemoryPool) <= reader.number(ModelId::MemoryPoolCeiling));
}

#[test]
fn a_pool_as_large_as_the_machine_does_not_fit() {
    for text in VERSIONS {
        let mut reader = host(text, 16 * GIB, 4).with(id::INNODB_BUFFER_POOL_SIZE, 16 * GIB);
        assert!(is_overcommitted(&mut reader), "{text}");
        assert!(reader.number(ModelId::MemoryPool) > reader.number(ModelId::MemoryPoolCeiling), "{text}");
    }
}

#[test]
fn what_does_not_fit_on_any_number_of_processors_is_known_without_it() {
    for text in VERSIONS {
        let unknown = |ram: i128| on(text).fact(FactId::HostRam, ram).with(id::MAX_CONNECTIONS, 4000i128);
        let sorts = |ram| unknown(ram).with(id::SORT_BUFFER_SIZE, 512 * MIB);
        assert_eq!(unknown(64 * GIB).of(ModelId::MemoryExpectedPeak), Outcome::Unknown, "{text}");
        assert!(is_overcommitted(&mut sorts(4 * GIB)), "{text}");
        assert_eq!(sorts(4 * GIB).number(ModelId::MemoryActiveConnections), 16, "{text}");
        let mut known = sorts(4 * GIB).fact(FactId::HostCpus, 64);
        assert!(
            known.number(ModelId::MemoryExpectedPeak) > sorts(4 * GIB).number(ModelId::MemoryExpectedPeak),
            "{text}"
        );
    }
}

#[test]
fn the_sum_is_the_sum_of_its_parts() {
    let mut reader = host("mariadb-10.11.19", 8 * GIB, 4).with(id::MAX_CONNECTIONS, 300i128);
    let parts: i128 = [
        ModelId::MemoryPool,
        ModelId::MemoryPoolOverhead,
        ModelId::MemoryOtherCaches,
        ModelId::MemoryConnectionsIdle,
        ModelId::MemoryConnectionsActive,
    ]
    .map(|part| reader.number(part))
    .iter()
    .sum();
    assert_eq!(parts, reader.number(ModelId::MemoryExpectedPeak));
    assert_eq!(
        reader.number(ModelId::MemoryBudget) - reader.number(ModelId::MemoryOsReserve),
        reader.number(ModelId::MemoryAvailable)
    );
    assert!(reader.number(ModelId::MemoryWorstCase) > parts);
}

#[test]
fn temporary_tables_of_mysql_8_enter_the_worst_case_only() {
    let with = |size| host("mysql-8.0.28", 8 * GIB, 4).with(id::TEMPTABLE_MAX_RAM, size);
    let (mut small, mut large) = (with(GIB), with(3 * GIB));
    assert_eq!(small.number(ModelId::MemoryExpectedPeak), large.number(ModelId::MemoryExpectedPeak));
    assert_eq!(small.number(ModelId::MemoryWorstCase) + 2 * GIB, large.number(ModelId::MemoryWorstCase));
}

#[test]
fn the_performance_schema_takes_what_was_measured() {
    let schema = |text: &str, connections: i128, tables: i128| {
        let caches = |on: &'static str| {
            host(text, 64 * GIB, 4)
                .with(id::MAX_CONNECTIONS, connections)
                .with(id::TABLE_OPEN_CACHE, tables)
                .with(id::PERFORMANCE_SCHEMA, on)
                .number(ModelId::MemoryOtherCaches)
        };
        (caches("ON") - caches("OFF")) / MIB
    };
    // What the servers showed, in MiB, and how far the model may be off.
    for (text, connections, tables, measured, within) in [
        ("mariadb-10.11.19", 100, 2000, 94, 1),
        ("mariadb-10.11.19", 1000, 4000, 136 + 125, 10),
        ("mariadb-11.8.9", 2000, 4000, 136 + 285, 10),
        ("mysql-9.7.4", 100, 400, 178, 2),
        ("mysql-9.7.4", 100, 4000, 243, 2),
        ("mysql-9.7.4", 2000, 4000, 243 + 466, 10),
        ("mysql-5.6.24", 151, 400, 74, 1),
        ("mysql-5.6.24", 151, 2000, 404, 1),
        ("mysql-5.6.24", 1000, 4000, 589, 2),
        ("mysql-5.6.24", 5000, 4000, 1277, 2),
    ] {
        let told = schema(text, connections, tables);
        assert!((told - measured).abs() <= within, "{text}, {connections} connections: {told}, measured {measured}");
    }
}

#[test]
fn a_thread_pool_works_with_as_many_threads_as_it_runs() {
    for text in ["mariadb-10.11.19", "percona-8.0.23"] {
        let one_each = host(text, 16 * GIB, 4).with(id::MAX_CONNECTIONS, 5000i128);
        let mut pool = one_each.with(id::THREAD_HANDLING, "pool-of-threads");
        assert_eq!(pool.number(ModelId::MemoryActiveConnections), 16, "{text}");
        let mut narrow = pool.with(id::THREAD_POOL_SIZE, 2i128);
        assert_eq!(narrow.number(ModelId::MemoryActiveConnections), 8, "{text}");
    }
}

#[test]
fn a_key_buffer_counts_where_it_is_asked_for() {
    let peak = |reader: Fake| {
        let mut reader = reader;
        (reader.number(ModelId::MemoryExpectedPeak), reader.number(ModelId::MemoryWorstCase))
    };
    let default = peak(host("mariadb-10.11.19", 16 * GIB, 4));
    let written = peak(host("mariadb-10.11.19", 16 * GIB, 4).with(id::KEY_BUFFER_SIZE, 128 * MIB));
    assert_eq!(written.0 - default.0, 128 * MIB);
    assert_eq!(written.1, default.1);
}

#[test]
fn half_the_machine_is_the_budget_when_it_is_shared() {
    let mut reader = host("mysql-9.7.4", 16 * GIB, 4).fact(FactId::WorkloadShared, "ON");
    assert_eq!(reader.number(ModelId::MemoryBudget), 8 * GIB);
    assert_eq!(reader.real(ModelId::MemoryPoolShare), 0.63);
}

#[test]
fn huge_pages_that_the_server_does_not_ask_for_are_no_memory_of_its_own() {
    let with = || host("mysql-8.0.28", 16 * GIB, 4).fact(FactId::HostHugePages, 12 * GIB);
    assert_eq!(with().number(ModelId::MemoryBudget), 4 * GIB);
    assert_eq!(with().with(id::LARGE_PAGES, "ON").number(ModelId::MemoryBudget), 16 * GIB);
    assert_eq!(with().fact(FactId::HostLimited, "ON").number(ModelId::MemoryBudget), 16 * GIB);
    let mut more_than_there_is = host("mysql-8.0.28", 8 * GIB, 4).fact(FactId::HostHugePages, 12 * GIB);
    assert_eq!(more_than_there_is.number(ModelId::MemoryBudget), 8 * GIB);
}

#[test]
fn without_ram_nothing_is_said() {
    let mut reader = on("mysql-9.7.4").fact(FactId::HostCpus, 4i128);
    assert_eq!(reader.of(ModelId::MemoryPoolRecommended), Outcome::Unknown);
    assert_eq!(reader.of(ModelId::MemoryPoolCeiling), Outcome::Unknown);
}

#[test]
fn the_share_table_holds_at_its_boundaries() {
    assert!(pool_shares().is_sorted_by_key(|row| row.ram));
    assert_eq!(pool_shares()[0].ram, 0);
    for (below, row) in pool_shares().iter().zip(&pool_shares()[1..]) {
        for (limited, shared, before, after) in [
            (false, false, below.machine, row.machine),
            (true, false, below.container, row.container),
            (false, true, below.shared, row.shared),
            (true, true, below.shared, row.shared),
        ] {
            assert_eq!(pool_share(row.ram - 1, limited, shared), before);
            assert_eq!(pool_share(row.ram, limited, shared), after);
        }
        // A larger machine never gets a smaller pool.
        assert!(below.machine <= row.machine && below.container <= row.container && below.shared <= row.shared);
    }
}

#[test]
fn a_server_rounds_its_pool_up_to_whole_chunks() {
    let grid = |text: &str, instances| PoolGrid { server: server(text), chunk: 128 * MIB, instances, cpus: 2 };
    assert_eq!(grid("mysql-9.7.4", Some(16)).effective(9 * GIB), 10 * GIB);
    assert_eq!(grid("mysql-9.7.4", None).effective(1000 * MIB), GIB);
    assert_eq!(grid("mariadb-10.5.23", None).effective(3000 * MIB), 3 * GIB);
    let without = PoolGrid { chunk: 0, ..grid("mariadb-10.11.19", None) };
    assert_eq!(without.effective(3000 * MIB), 3000 * MIB);
}

#[test]
fn connections_are_recommended_where_the_pool_is_not_the_cause() {
    let mut reader = host("mariadb-10.11.19", 2 * GIB, 2).with(id::MAX_CONNECTIONS, 100_000i128);
    assert!(is_overcommitted(&mut reader));
    assert_eq!(reader.number(ModelId::MemoryPoolRecommended), SMALLEST_POOL);
    let connections = reader.number(ModelId::MemoryConnectionsRecommended);
    reader = reader.with(id::MAX_CONNECTIONS, connections - 1);
    assert!(!is_overcommitted(&mut reader));
    let mut hopeless = host("mariadb-10.11.19", 512 * MIB, 2).with(id::SORT_BUFFER_SIZE, GIB);
    assert_eq!(hopeless.of(ModelId::MemoryConnectionsRecommended), Outcome::Absent);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What the pool rules recommend triggers neither them nor `memory-overcommit`.
    #[test]
    fn the_recommended_pool_fits(
        version in 0..VERSIONS.len(),
        ram in (512 * MIB)..=(1024 * GIB),
        cpus in 1i128..=128,
        connections in 1i128..=10_000,
        instances in proptest::option::of(1i128..=64),
        chunk in proptest::option::of(1i128..=2048),
        limited: bool,
        shared: bool,
    ) {
        let mut reader = host(VERSIONS[version], ram, cpus).with(id::MAX_CONNECTIONS, connections);
        if let Some(instances) = instances {
            reader = reader.with(id::INNODB_BUFFER_POOL_INSTANCES, instances);
        }
        if let Some(chunk) = chunk {
            reader = reader.with(id::INNODB_BUFFER_POOL_CHUNK_SIZE, chunk * MIB);
        }
        reader = reader
            .fact(FactId::HostLimited, Value::boolean(limited))
            .fact(FactId::WorkloadShared, Value::boolean(shared));
        let recommended = reader.number(ModelId::MemoryPoolRecommended);
        prop_assert!(recommended >= SMALLEST_POOL);
        reader = reader.with(id::INNODB_BUFFER_POOL_SIZE, recommended);
        prop_assert!(recommended <= reader.number(ModelId::MemoryPoolCeiling));
        prop_assert!(recommended == SMALLEST_POOL || reader.number(ModelId::MemoryPool) == recommended);
        prop_assert!(recommended == SMALLEST_POOL || !is_overcommitted(&mut reader));
        prop_assert_eq!(reader.number(ModelId::MemoryPoolRecommended), recommended);
    }

    /// No more than a few steps are lost to rounding: the recommendation is no lazy floor.
    #[test]
    fn the_recommended_pool_uses_the_machine(gib in 8i128..=1024) {
        let machine = Machine { ram: gib * GIB, limited: false, shared: false };
        for text in VERSIONS {
            let mut reader = host(text, machine.ram, 8);
            let recommended = reader.number(ModelId::MemoryPoolRecommended);
            prop_assert!(recommended * 100 >= machine.ram * 68, "{}: {} of {} GiB", text, recommended, gib);
        }
    }
}
