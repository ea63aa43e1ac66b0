//! Laws that hold for any text and any expression.

use super::World;
use crate::expr::*;
use proptest::prelude::*;

const TRUTHS: [Truth; 4] = [Truth::True, Truth::False, Truth::Unknown, Truth::Absent];

#[test]
fn truths_form_a_lattice_with_a_mirror() {
    for a in TRUTHS {
        assert_eq!(a.and(a), a);
        assert_eq!(a.negated().negated(), a);
        assert_eq!(a.and(Truth::True), a);
        assert_eq!(a.or(Truth::False), a);
        assert_eq!(a.and(Truth::False), Truth::False);
        assert_eq!(a.or(Truth::True), Truth::True);
        for b in TRUTHS {
            assert_eq!(a.and(b), b.and(a));
            assert_eq!(a.or(b), b.or(a));
            assert_eq!(a.and(b).negated(), a.negated().or(b.negated()));
            for c in TRUTHS {
                assert_eq!(a.and(b).and(c), a.and(b.and(c)));
                assert_eq!(a.or(b).or(c), a.or(b.or(c)));
            }
        }
    }
}

/// Numbers in the language, in its own spelling.
fn number() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0u64..1000).prop_map(|n| n.to_string()),
        any::<u64>().prop_map(|n| n.to_string()),
        (0u32..100, 0u32..100).prop_map(|(a, b)| format!("{a}.{b}")),
        prop::sample::select(vec!["max_connections", "ratio", "huge", "8G", "gone", "host.ram", "pool_size"])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]), inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("min({a}, {b})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("max({a}, {b}, {c})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("round_down({a}, {b})")),
            inner.clone().prop_map(|a| format!("abs({a})")),
            inner.prop_map(|a| format!("-{a}")),
        ]
    })
}

fn truth() -> impl Strategy<Value = String> {
    let comparison = (number(), prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]), number())
        .prop_map(|(a, op, b)| format!("{a} {op} {b}"));
    let leaf = prop_oneof![
        3 => comparison,
        1 => (number(), number(), number()).prop_map(|(a, b, c)| format!("{a} in [{b}, {c}]")),
        1 => prop::sample::select(vec![
            "set(pool_size)", "set(gone)", "exists(gone)", "doublewrite == OFF", "tmpdir == ''", "contains(sql_mode, ANSI)",
        ]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 32, 2, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["and", "or"]), inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner.prop_map(|a| format!("surely({a})")),
        ]
    })
}

/// Walks the tree without code, and without jumping over anything.
fn naive_truth(part: &Checked, world: &mut World) -> Truth {
    match &part.node {
        Node::IsSet(id) => world.is_set(*id).into(),
        Node::Exists(id) => world.exists(*id).into(),
        Node::Not(inner) => naive_truth(inner, world).negated(),
        Node::Surely(inner) if naive_truth(inner, world) == Truth::True => Truth::True,
        Node::Surely(_) => Truth::False,
        Node::Binary(Operator::And, a, b) => naive_truth(a, world).and(naive_truth(b, world)),
        Node::Binary(Operator::Or, a, b) => naive_truth(a, world).or(naive_truth(b, world)),
        Node::OneOf(tests) => tests.iter().map(|test| naive_truth(test, world)).fold(Truth::False, Truth::or),
        Node::Binary(operator, a, b) => {
            let (a, b) = (naive_number(a, world), naive_number(b, world));
            let order = |a: Value<'_>, b: Value<'_>| match (&a, &b) {
                (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
                _ => exact(&a).partial_cmp(&exact(&b)).unwrap(),
            };
            match (a, b) {
                (Outcome::Absent, _) | (_, Outcome::Absent) => Truth::Absent,
                (Outcome::Unknown, _) | (_, Outcome::Unknown) => Truth::Unknown,
                (Outcome::Known(a), Outcome::Known(b)) => Outcome::Known(match operator {
                    Operator::Equal => order(a, b).is_eq(),
                    Operator::NotEqual => order(a, b).is_ne(),
                    Operator::Less => order(a, b).is_lt(),
                    Operator::AtMost => order(a, b).is_le(),
                    Operator::More => order(a, b).is_gt(),
                    Operator::AtLeast => order(a, b).is_ge(),
                    _ => unreachable!(),
                })
                .into(),
            }
        }
        Node::Same { left, right, .. } => Outcome::Known(text(left, world) == text(right, world)).into(),
        Node::Contains(set, member) => {
            let member = text(member, world);
            Outcome::Known(text(set, world).split(',').any(|one| one == member)).into()
        }
        other => unreachable!("{other:?} is no truth"),
    }
}

fn text(part: &Checked, world: &mut World) -> String {
    match &part.node {
        Node::Word(text) | Node::Text(text) => text.clone(),
        Node::Load(id) => match world.value(*id).known().unwrap() {
            Value::Word(text) | Value::Set(text) => text.into_owned(),
            _ => String::new(),
        },
        other => unreachable!("{other:?} is no text"),
    }
}

/// A number as whole part and fraction, which compare exactly.
fn exact(value: &Value<'_>) -> (i128, f64) {
    match value {
        Value::Integer(number) => (*number, 0.0),
        Value::Real(number) => (number.floor() as i128, number - number.floor()),
        _ => unreachable!(),
    }
}

fn naive_number(part: &Checked, world: &mut World) -> Outcome<Value<'static>> {
    let parts: Vec<_> = part.node.children().into_iter().map(|child| naive_number(child, world)).collect();
    if parts.contains(&Outcome::Absent) {
        return Outcome::Absent;
    }
    let Some(parts) = parts.into_iter().map(Outcome::known).collect::<Option<Vec<_>>>() else {
        return Outcome::Unknown;
    };
    let real = |value: &Value<'_>| match value {
        Value::Integer(number) => *number as f64,
        Value::Real(number) => *number,
        _ => unreachable!(),
    };
    let finite = |number: f64| Some(Value::Real(number)).filter(|_| number.is_finite());
    let value = match (&part.node, parts.as_slice()) {
        (Node::Integer(number), _) => Some(Value::Integer(*number)),
        (Node::Real(number), _) => Some(Value::Real(*number)),
        (Node::Load(id), _) => return world.value(*id),
        (Node::Negate(_), [Value::Integer(a)]) => a.checked_neg().map(Value::Integer),
        (Node::Negate(_), [a]) => finite(-real(a)),
        (Node::Abs(_), [Value::Integer(a)]) => a.checked_abs().map(Value::Integer),
        (Node::Abs(_), [a]) => finite(real(a).abs()),
        (Node::Binary(operator, ..), [Value::Integer(a), Value::Integer(b)]) => match operator {
            Operator::Add => a.checked_add(*b).map(Value::Integer),
            Operator::Subtract => a.checked_sub(*b).map(Value::Integer),
            Operator::Multiply => a.checked_mul(*b).map(Value::Integer),
            _ if *b != 0 && a % b == 0 => a.checked_div(*b).map(Value::Integer),
            _ => finite(*a as f64 / *b as f64),
        },
        (Node::Binary(operator, ..), [a, b]) => finite(match operator {
            Operator::Add => real(a) + real(b),
            Operator::Subtract => real(a) - real(b),
            Operator::Multiply => real(a) * real(b),
            _ => real(a) / real(b),
        }),
        (Node::RoundDown(..), [Value::Integer(a), Value::Integer(b)]) if *b > 0 => {
            a.checked_sub(a.rem_euclid(*b)).map(Value::Integer)
        }
        (Node::RoundDown(..), [Value::Real(a), Value::Integer(b)]) if *b > 0 && a.abs() < 1e38 => {
            let whole = a.floor() as i128;
            whole.checked_sub(whole.rem_euclid(*b)).map(Value::Integer)
        }
        (Node::RoundDown(..), [a, Value::Real(b)]) if *b > 0.0 => finite((real(a) / b).floor() * b),
        (Node::RoundDown(..), _) => None,
        (Node::Min(_), parts) => parts.iter().cloned().reduce(|a, b| if exact(&b) < exact(&a) { b } else { a }),
        (Node::Max(_), parts) => parts.iter().cloned().reduce(|a, b| if exact(&b) > exact(&a) { b } else { a }),
        other => unreachable!("{other:?} is no number"),
    };
    value.map_or(Outcome::Unknown, Outcome::Known)
}

/// Compiles and evaluates a condition; `None` when it is refused, as units that do not go together are.
fn both_ways(text: &str) -> Option<(Truth, Truth)> {
    let mut world = World::new();
    let checked = check(&parse(text).ok()?, Expected::Condition, &world).ok()?;
    let (mut pool, mut words) = (Pool::default(), Vec::new());
    compile(&checked, &mut pool, &mut words).unwrap();
    let packed = evaluate_truth(&words, pool.text(), &mut world);
    Some((packed, naive_truth(&checked, &mut world)))
}

proptest! {
    #[test]
    fn code_agrees_with_the_tree(text in truth()) {
        if let Some((packed, naive)) = both_ways(&text) {
            prop_assert_eq!(packed, naive, "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_within_its_bytes(text in ".*") {
        if let Err(error) = parse(&text) {
            prop_assert!(text.get(error.span).is_some());
        }
        if let Err(errors) = Template::parse(&text, &World::new()) {
            prop_assert!(errors.into_iter().all(|error| text.get(error.span).is_some()));
        }
    }

    #[test]
    fn any_tokens_are_read_or_refused(tokens in prop::collection::vec(prop::sample::select(vec![
        "pool_size", "doublewrite", "ON", "'x'", "1", "1.5", "8G", "75%", "(", ")", "[", "]", ",", "+", "-", "*", "/", "==", "<",
        "and", "or", "not", "in", "min(", "set(", "surely(", "contains(", "é",
    ]), 0..24)) {
        let text = tokens.join(" ");
        if let Ok(tree) = parse(&text)
            && let Err(errors) = check(&tree, Expected::Condition, &World::new())
        {
            prop_assert!(!errors.is_empty());
            prop_assert!(errors.into_iter().all(|error| text.get(error.span).is_some()));
        }
    }

    #[test]
    fn cut_or_mangled_code_gives_an_answer(words in prop::collection::vec(prop_oneof![0u32..40, any::<u32>()], 0..40)) {
        // The names of a mangled table mean nothing, so that nothing is looked up here.
        struct Nothing;
        impl Environment for Nothing {
            fn value(&mut self, _: NameId) -> Outcome<Value<'static>> { Outcome::Unknown }
            fn is_set(&mut self, _: NameId) -> Outcome<bool> { Outcome::Unknown }
            fn exists(&mut self, _: NameId) -> Outcome<bool> { Outcome::Unknown }
        }
        let words: Vec<u32> = words.into_iter().map(|word| if word < 40 { word } else { word & 0x3ff }).collect();
        let _ = evaluate_truth(&words, "pool", &mut Nothing);
        let _ = evaluate(&words, "pool", &mut Nothing);
    }
}
