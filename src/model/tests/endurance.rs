use super::*;
use crate::model::Target;
use crate::model::endurance::{DRIVE_CLASSES, SECONDS_A_YEAR, allowed_rate, class_endurance, years_at};
use crate::model::targets::{Action, set};

/// 1.6 TB, 12.25 PB, three quarters full, five years.
fn drive(text: &str) -> Fake {
    on(text)
        .fact(FactId::DiskKind, "nvme")
        .fact(FactId::DiskEndurance, 12_250_000_000_000_000i128)
        .fact(FactId::DiskFill, 0.75)
        .fact(FactId::DiskLifetime, 5.0)
}

#[test]
fn a_drive_affords_what_vendors_and_calendars_say() {
    assert_eq!(SECONDS_A_YEAR, 365 * 24 * 3600);
    assert_eq!(allowed_rate(12_250_000_000_000_000, 0.0, 5.0) / 100_000, 776); // 77.7 MB/s
    let mut reader = drive("mysql-9.7.4");
    assert_eq!(reader.number(ModelId::EnduranceAllowedRate) / 10_000, 1942); // 19.42 MB/s
    assert_eq!(reader.number(ModelId::EnduranceBytesPerPage), 36 * 1024);
    assert_eq!(reader.number(ModelId::EndurancePagesPerSecond), 526);
}

#[test]
fn two_thousand_pages_a_second_leave_a_year_and_a_third() {
    let mut reader = drive("mysql-9.7.4").with(id::INNODB_IO_CAPACITY_MAX, 2000i128);
    assert!((reader.real(ModelId::EnduranceYearsAtCeiling) - 1.32).abs() < 0.005);
    assert!((years_at(12_250_000_000_000_000, 0.0, 2000 * 36_864) - 5.27).abs() < 0.005);
    assert_eq!(reader.number(ModelId::EnduranceCeilingRate), 73_728_000);
}

#[test]
fn a_lifetime_needs_a_rate_and_a_ceiling_is_none() {
    assert_eq!(drive("mysql-9.7.4").of(ModelId::EnduranceYearsAtWriteRate), Outcome::Unknown);
    let mut given = drive("mysql-9.7.4").fact(FactId::WorkloadWriteRate, 73_728_000i128);
    assert!((given.real(ModelId::EnduranceYearsAtWriteRate) - 1.32).abs() < 0.005);
    let mut running = drive("mysql-9.7.4")
        .fact(FactId::RunningPagesWritten, 2000 * 86_400i128)
        .fact(FactId::RunningUptime, 86_400i128);
    assert!((running.real(ModelId::EnduranceYearsAtWriteRate) - 1.32).abs() < 0.005);
}

#[test]
fn wear_applies_to_no_hard_disk_and_is_unknown_without_a_figure() {
    for kind in ["hdd", "network"] {
        assert_eq!(
            drive("mysql-9.7.4").fact(FactId::DiskKind, kind).of(ModelId::EndurancePagesPerSecond),
            Outcome::Absent
        );
        assert_eq!(
            drive("mysql-9.7.4").fact(FactId::DiskKind, kind).of(ModelId::EnduranceYearsAtCeiling),
            Outcome::Absent
        );
    }
    assert_eq!(on("mysql-9.7.4").of(ModelId::EndurancePagesPerSecond), Outcome::Unknown);
    let mut class = on("mysql-9.7.4").fact(FactId::DiskKind, "nvme").fact(FactId::DiskClass, "consumer-tlc");
    assert_eq!(class.of(ModelId::EnduranceTotal), Outcome::Unknown);
    class = class.fact(FactId::DiskCapacity, 1_000_000_000_000i128);
    assert_eq!(class.number(ModelId::EnduranceTotal) / 1_000_000_000_000, 602);
    assert_eq!(class_endurance("floppy", 1), None);
}

#[test]
fn every_word_of_the_class_flag_has_a_row() {
    let words: Vec<_> = DRIVE_CLASSES.iter().map(|class| class.name).collect();
    assert_eq!(format!("{:?}", FactId::DiskClass.fact_type()), format!("Word({words:?})"));
}

#[test]
fn without_doublewrite_a_page_costs_less() {
    let mut reader = drive("mysql-9.7.4").with(id::INNODB_DOUBLEWRITE, "OFF");
    assert_eq!(reader.number(ModelId::EnduranceBytesPerPage), 20 * 1024);
}

#[test]
fn the_recommended_ceiling_follows_disk_and_endurance() {
    let mut reader = drive("mysql-9.7.4").with(id::INNODB_IO_CAPACITY_MAX, 20_000i128);
    assert_eq!(reader.number(ModelId::EnduranceCapacityMaxLimit), 4 * 526);
    assert_eq!(reader.number(ModelId::IoCapacityMaxRecommended), 2100, "in hundreds");
    // The idle rate would lie above the new ceiling, so it goes down with it.
    let changes = set(Target::IoCapacityMax, Some(&Value::Integer(2100)), &mut reader).unwrap();
    let changes: Vec<_> = changes.into_iter().map(|change| (change.option, change.action)).collect();
    assert_eq!(
        changes,
        [
            (id::INNODB_IO_CAPACITY_MAX, Action::Set(Value::Integer(2100))),
            (id::INNODB_IO_CAPACITY, Action::Set(Value::Integer(500)))
        ]
    );
    let mut disk = on("mysql-9.7.4").fact(FactId::DiskKind, "hdd");
    assert_eq!(disk.number(ModelId::IoCapacityMaxLimit), 400);
    assert_eq!(disk.number(ModelId::IoCapacityMaxRecommended), 400);
    assert_eq!(disk.number(ModelId::IoCapacityRecommended), 100);
    assert_eq!(on("mysql-9.7.4").of(ModelId::IoCapacityMaxRecommended), Outcome::Unknown);
    assert_eq!(on("mysql-9.7.4").fact(FactId::DiskKind, "network").of(ModelId::IoCapacityLimit), Outcome::Absent);
}

#[test]
fn no_recommendation_is_above_the_limit_it_is_held_to() {
    for kind in ["hdd", "ssd", "nvme"] {
        let mut reader = on("mysql-9.7.4").fact(FactId::DiskKind, kind);
        assert!(reader.number(ModelId::IoCapacityRecommended) <= reader.number(ModelId::IoCapacityLimit));
        assert!(reader.number(ModelId::IoCapacityMaxRecommended) <= reader.number(ModelId::IoCapacityMaxLimit));
    }
}
