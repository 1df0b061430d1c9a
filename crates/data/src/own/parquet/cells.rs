//! Write the cells of a column as text.

use polars_arrow::array::{Array, BooleanArray, PrimitiveArray};
use polars_arrow::datatypes::{ArrowDataType, TimeUnit};
use polars_arrow::temporal_conversions::{
    date32_to_date_opt, timestamp_ms_to_datetime_opt, timestamp_ns_to_datetime_opt,
    timestamp_s_to_datetime_opt, timestamp_us_to_datetime_opt,
};
use polars_arrow::types::NativeType;
use polars_error::{PolarsResult, polars_bail};

use crate::columns::texts;

/// The bytes of a column's texts, each as often as a cell has it.
pub fn text_length(array: &dyn Array) -> u64 {
    texts(array).iter().flatten().flatten().map(|cell| cell.len() as u64).sum()
}

/// The cells of a column as text, a missing one empty; `None` for a type that has no text here.
pub fn cells(parts: &[Box<dyn Array>]) -> PolarsResult<Option<Vec<String>>> {
    let mut all = Vec::new();
    for part in parts {
        match written(part.as_ref())? {
            Some(cells) => all.extend(cells),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// The cells of one part. A moment with a time zone is that of UTC, with its `Z`.
fn written(array: &dyn Array) -> PolarsResult<Option<Vec<String>>> {
    use ArrowDataType::{
        Boolean, Date32, Date64, Decimal, Float32, Float64, Int8, Int16, Int32, Int64, Timestamp,
        UInt8, UInt16, UInt32, UInt64,
    };
    let cells = match array.dtype() {
        Float64 => each(array, |value: f64| Some(value.to_string())),
        Float32 => each(array, |value: f32| Some(value.to_string())),
        Int8 => each(array, |value: i8| Some(value.to_string())),
        Int16 => each(array, |value: i16| Some(value.to_string())),
        Int32 => each(array, |value: i32| Some(value.to_string())),
        Int64 => each(array, |value: i64| Some(value.to_string())),
        UInt8 => each(array, |value: u8| Some(value.to_string())),
        UInt16 => each(array, |value: u16| Some(value.to_string())),
        UInt32 => each(array, |value: u32| Some(value.to_string())),
        UInt64 => each(array, |value: u64| Some(value.to_string())),
        Date32 => each(array, |days| Some(date32_to_date_opt(days)?.to_string())),
        Date64 => each(array, |value| moment(value, TimeUnit::Millisecond)),
        Timestamp(unit, None) => each(array, |value| moment(value, *unit)),
        Timestamp(unit, Some(_)) => each(array, |value| Some(moment(value, *unit)? + "Z")),
        Decimal(_, scale) => each(array, |value: i128| Some(decimal(value, *scale))),
        Boolean => array.as_any().downcast_ref::<BooleanArray>().map(|values| {
            let text = |value: Option<bool>| value.map(|value| value.to_string());
            Ok(values.iter().map(|value| text(value).unwrap_or_default()).collect())
        }),
        _ => texts(array).map(|cells| {
            Ok(cells.into_iter().map(|cell| cell.unwrap_or_default().to_owned()).collect())
        }),
    };
    cells.transpose()
}

/// The cells of numbers of the type `T`; `None` for another type.
fn each<T: NativeType>(
    array: &dyn Array,
    text: impl Fn(T) -> Option<String>,
) -> Option<PolarsResult<Vec<String>>> {
    let values = array.as_any().downcast_ref::<PrimitiveArray<T>>()?;
    let text = |value: Option<&T>| match value.map(|value| text(*value)) {
        None => Ok(String::new()),
        Some(Some(text)) => Ok(text),
        Some(None) => polars_bail!(ComputeError: "a date is beyond the calendar"),
    };
    Some(values.iter().map(text).collect())
}

/// A moment since 1970, with the digits of its unit; `None` beyond the calendar.
fn moment(value: i64, unit: TimeUnit) -> Option<String> {
    Some(match unit {
        TimeUnit::Second => timestamp_s_to_datetime_opt(value)?.format("%F %T%.3f").to_string(),
        TimeUnit::Millisecond => {
            timestamp_ms_to_datetime_opt(value)?.format("%F %T%.3f").to_string()
        }
        TimeUnit::Microsecond => {
            timestamp_us_to_datetime_opt(value)?.format("%F %T%.6f").to_string()
        }
        TimeUnit::Nanosecond => {
            timestamp_ns_to_datetime_opt(value)?.format("%F %T%.9f").to_string()
        }
    })
}

/// A whole number of units of 10^−scale.
fn decimal(value: i128, scale: usize) -> String {
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    let (sign, point) = (if value < 0 { "-" } else { "" }, if scale > 0 { "." } else { "" });
    format!("{sign}{whole}{point}{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_its_sign_and_all_its_digits() {
        let written = [(125, 2), (-125, 2), (-5, 2), (7, 0), (0, 1), (i128::MIN, 3)];
        let expected =
            ["1.25", "-1.25", "-0.05", "7", "0.0", "-170141183460469231731687303715884105.728"];
        assert_eq!(written.map(|(value, scale)| decimal(value, scale)), expected);
    }

    #[test]
    fn a_moment_has_the_digits_of_its_unit_and_none_is_made_up() {
        use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
        let written = [(0, Second), (-1, Millisecond), (1_500_000, Microsecond), (7, Nanosecond)];
        let expected = [
            "1970-01-01 00:00:00.000",
            "1969-12-31 23:59:59.999",
            "1970-01-01 00:00:01.500000",
            "1970-01-01 00:00:00.000000007",
        ];
        assert_eq!(written.map(|(value, unit)| moment(value, unit).unwrap()), expected);
        assert_eq!(moment(i64::MAX, Second), None);
        let beyond = PrimitiveArray::from_slice([i64::MAX])
            .to(ArrowDataType::Timestamp(Second, None))
            .boxed();
        assert!(cells(&[beyond]).is_err());
    }
}
