//! Trips of loops that count from a constant to a constant.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Module, Statement,
};

/// Trips looked for.
const MOST: u32 = 1 << 16;

/// How often a loop's body runs at most: `for (var i = a; i < b; i += c)` with constants, or 0 where it is no such loop.
pub(super) fn trips(
    module: &Module,
    function: &Function,
    before: &[Statement],
    (body, continuing): (&Block, &Block),
) -> u32 {
    counted(module, function, before, (body, continuing)).unwrap_or(0)
}

fn counted(
    module: &Module,
    function: &Function,
    before: &[Statement],
    (body, continuing): (&Block, &Block),
) -> Option<u32> {
    let (counter, test) = test(module, function, body)?;
    let step = step(module, function, continuing, counter)?;
    if changes(function, body, counter) || stores(function, continuing, counter) != 1 {
        return None;
    }
    let start = start(module, function, before, counter)?;
    count(start, test, step)
}

/// Variable that a loop's test reads, and what it compares it with: `if i < b {} else { break; }` comes first.
fn test(
    module: &Module,
    function: &Function,
    body: &Block,
) -> Option<(Handle<LocalVariable>, (BinaryOperator, f64))> {
    let test = body.iter().find(|s| !matches!(s, Statement::Emit(_)))?;
    let Statement::If {
        condition,
        accept,
        reject,
    } = test
    else {
        return None;
    };
    let breaks = matches!(reject[..], [Statement::Break]) && accept.is_empty();
    let Expression::Binary { op, left, right } = function.expressions[*condition] else {
        return None;
    };
    let limit = literal(module, function, right)?;
    breaks.then_some((loaded(function, left)?, (op, limit)))
}

/// Change of the counter after each trip.
fn step(
    module: &Module,
    function: &Function,
    continuing: &Block,
    counter: Handle<LocalVariable>,
) -> Option<(BinaryOperator, f64)> {
    continuing.iter().find_map(|statement| match *statement {
        Statement::Store { pointer, value } if is_variable(function, pointer, counter) => {
            let Expression::Binary { op, left, right } = function.expressions[value] else {
                return None;
            };
            (loaded(function, left)? == counter).then_some(())?;
            Some((op, literal(module, function, right)?))
        }
        _ => None,
    })
}

/// Value of the counter before the first trip.
fn start(
    module: &Module,
    function: &Function,
    before: &[Statement],
    counter: Handle<LocalVariable>,
) -> Option<f64> {
    let set = before.iter().rev().find_map(|statement| match *statement {
        Statement::Store { pointer, value } => {
            is_variable(function, pointer, counter).then(|| literal(module, function, value))
        }
        _ => None,
    });
    match set {
        Some(start) => start,
        // Set where it was declared, and nowhere else.
        None if stores(function, &function.body, counter) == 1 => {
            match function.local_variables[counter].init {
                Some(init) => literal(module, function, init),
                None => Some(0.0),
            }
        }
        None => None,
    }
}

/// Trips from a start on, while the test holds.
fn count(
    start: f64,
    (op, limit): (BinaryOperator, f64),
    (step_op, step): (BinaryOperator, f64),
) -> Option<u32> {
    let goes_on = |value: f64| match op {
        BinaryOperator::Less => Some(value < limit),
        BinaryOperator::LessEqual => Some(value <= limit),
        BinaryOperator::Greater => Some(value > limit),
        BinaryOperator::GreaterEqual => Some(value >= limit),
        BinaryOperator::NotEqual => Some(value != limit),
        _ => None,
    };
    let (mut value, mut count) = (start, 0);
    while goes_on(value)? {
        count += 1;
        if count > MOST {
            return None;
        }
        value = match step_op {
            BinaryOperator::Add => value + step,
            BinaryOperator::Subtract => value - step,
            BinaryOperator::Multiply => value * step,
            _ => return None,
        };
    }
    Some(count)
}

/// Variable that an expression reads.
fn loaded(function: &Function, handle: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    let Expression::Load { pointer } = function.expressions[handle] else {
        return None;
    };
    match function.expressions[pointer] {
        Expression::LocalVariable(variable) => Some(variable),
        _ => None,
    }
}

/// Whether a pointer points to a variable.
fn is_variable(
    function: &Function,
    pointer: Handle<Expression>,
    variable: Handle<LocalVariable>,
) -> bool {
    matches!(function.expressions[pointer], Expression::LocalVariable(v) if v == variable)
}

/// Value of a constant.
fn literal(module: &Module, function: &Function, handle: Handle<Expression>) -> Option<f64> {
    let of = |expression: &Expression| match *expression {
        Expression::Literal(Literal::I32(value)) => Some(value.into()),
        Expression::Literal(Literal::U32(value)) => Some(value.into()),
        _ => None,
    };
    match function.expressions[handle] {
        Expression::Constant(constant) => {
            of(&module.global_expressions[module.constants[constant].init])
        }
        ref other => of(other),
    }
}

/// Whether a block may change a variable: by a store, or by a call that is given a pointer to it.
fn changes(function: &Function, block: &Block, variable: Handle<LocalVariable>) -> bool {
    stores(function, block, variable) > 0
}

fn stores(function: &Function, block: &Block, variable: Handle<LocalVariable>) -> u32 {
    let points = |handle: Handle<Expression>| is_variable(function, handle, variable);
    let of = |block: &Block| stores(function, block, variable);
    block
        .iter()
        .map(|statement| match *statement {
            Statement::Store { pointer, .. } => u32::from(points(pointer)),
            Statement::Call { ref arguments, .. } => {
                2 * u32::from(arguments.iter().any(|&argument| points(argument)))
            }
            Statement::Block(ref block) => of(block),
            Statement::If {
                ref accept,
                ref reject,
                ..
            } => of(accept) + of(reject),
            Statement::Switch { ref cases, .. } => cases.iter().map(|case| of(&case.body)).sum(),
            Statement::Loop {
                ref body,
                ref continuing,
                ..
            } => of(body) + of(continuing),
            _ => 0,
        })
        .sum()
}
