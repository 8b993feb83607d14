//! A small shop in `SQLite`, with one connection that writes and one that cannot.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Batch, Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, TransactionBehavior};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The longest text or blob that a query may make, in bytes.
const VALUE_LIMIT: i32 = 1_000_000;
/// The most that a query's result may hold, in bytes.
const RESULT_LIMIT: usize = 256 * 1024;

/// An open database.
pub struct Shop {
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
}

/// A value of `SQLite`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

/// What a query found.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a value for every column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether there was more than the limit lets through.
    pub truncated: bool,
}

/// A table or view.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// `table` or `view`.
    pub kind: String,
    /// How many rows it has.
    pub rows: i64,
}

/// A table or view with its columns.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Description {
    /// The table.
    #[serde(flatten)]
    pub table: Table,
    /// Its columns.
    pub columns: Vec<Column>,
    /// The statement that made it.
    pub sql: String,
}

/// A column of a table.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, as declared.
    pub r#type: String,
    /// Whether it can be NULL.
    pub nullable: bool,
    /// The table and column that it refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
}

/// A product and how many of it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OrderLine {
    /// The product's id.
    pub product_id: i64,
    /// How many; at least one.
    #[schemars(range(min = 1))]
    pub quantity: u32,
}

/// An order that was placed.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Order {
    /// Its id.
    pub id: i64,
    /// What it costs.
    pub total_cents: i64,
}

/// What is wrong, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub struct ShopError(String);

impl fmt::Display for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShopError {}

impl From<rusqlite::Error> for ShopError {
    fn from(error: rusqlite::Error) -> Self {
        let code = error.sqlite_error_code();
        let message = match error {
            rusqlite::Error::SqlInputError { msg, sql, offset, .. } => {
                let place = usize::try_from(offset).ok().and_then(|offset| sql.get(offset..));
                let near = place.map(|rest| rest.chars().take(30).collect::<String>());
                near.map_or_else(|| msg.clone(), |near| format!("{msg}, at {near:?}"))
            }
            other => other.to_string(),
        };
        Self(match code {
            Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
                format!("{message}; queries only read: write one SELECT")
            }
            Some(ErrorCode::OperationInterrupted) => {
                "the query took too long and was stopped; narrow it with WHERE, or join on indexed columns"
                    .to_owned()
            }
            Some(ErrorCode::TooBig) => {
                format!("a value is longer than {VALUE_LIMIT} bytes; take a part of it with substr()")
            }
            _ if message.starts_with("no such") => {
                format!("{message}; list_tables and describe_table show what there is")
            }
            _ => message,
        })
    }
}

type Result<T> = std::result::Result<T, ShopError>;

impl Shop {
    /// Opens the file, and fills it with a shop where it holds no table.
    pub fn open(path: &Path) -> Result<Self> {
        let mut writer = Connection::open(path)?;
        writer.busy_timeout(Duration::from_secs(5))?;
        writer.pragma_update(None, "foreign_keys", true)?;
        let setup = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if setup.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? == 0 {
            setup.execute_batch(include_str!("shop.sql"))?;
        }
        setup.commit()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut reader = Connection::open_with_flags(path, flags)?;
        reader.busy_timeout(Duration::from_secs(5))?;
        reader.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_LIMIT)?;
        // A connection that cannot write its file can still attach and read others.
        reader.authorizer(Some(only_reading))?;
        Ok(Self { writer: Mutex::new(writer), reader: Mutex::new(reader) })
    }

    /// Runs one statement that only reads. `stop` is asked now and then whether to give up.
    pub fn query(
        &self,
        sql: &str,
        limit: usize,
        stop: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Rows> {
        let mut reader = self.reader();
        reader.progress_handler(1_000, Some(stop))?;
        let result = query(&reader, sql, limit);
        reader.progress_handler(0, None::<fn() -> bool>)?;
        result
    }

    /// Every table and view.
    pub fn tables(&self) -> Result<Vec<Table>> {
        let reader = self.reader();
        let mut tables = Vec::new();
        for (name, kind) in names(&reader)? {
            let rows =
                reader.query_row(&format!("SELECT count(*) FROM {}", quoted(&name)), [], |row| row.get(0))?;
            tables.push(Table { name, kind, rows });
        }
        Ok(tables)
    }

    /// One table or view with its columns.
    pub fn describe(&self, name: &str) -> Result<Description> {
        let tables = self.tables()?;
        let known = tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>().join(", ");
        let table = tables.into_iter().find(|table| table.name.eq_ignore_ascii_case(name));
        let table =
            table.ok_or_else(|| ShopError(format!("there is no table {name:?}; there are {known}")))?;
        let reader = self.reader();
        let sql =
            reader.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [&table.name], |row| {
                row.get(0)
            })?;
        let mut statement = reader.prepare(
            "SELECT c.name, c.type, c.\"notnull\" = 0 AND c.pk = 0, f.\"table\" || '.' || f.\"to\"
             FROM pragma_table_info(?1) AS c LEFT JOIN pragma_foreign_key_list(?1) AS f ON f.\"from\" = c.name",
        )?;
        let column = |row: &Row<'_>| {
            Ok(Column {
                name: row.get(0)?,
                r#type: row.get(1)?,
                nullable: row.get(2)?,
                references: row.get(3)?,
            })
        };
        let columns = statement.query_map([&table.name], column)?.collect::<rusqlite::Result<_>>()?;
        Ok(Description { table, columns, sql })
    }

    /// The statements that made the database.
    pub fn schema(&self) -> Result<String> {
        let reader = self.reader();
        let mut statement =
            reader.prepare("SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")?;
        let statements =
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
        Ok(statements.join("\n\n"))
    }

    /// The row of a table with this id, as an object.
    pub fn row(&self, table: &str, id: i64) -> Result<Option<Map<String, Value>>> {
        let reader = self.reader();
        let Some(table) = table_names(&reader)?.into_iter().find(|name| name == table) else {
            return Ok(None);
        };
        let mut statement = reader.prepare(&format!("SELECT * FROM {} WHERE rowid = ?1", quoted(&table)))?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let object = |row: &Row<'_>| {
            let cell = |(i, name): (usize, &String)| Ok((name.clone(), json!(Cell::from(row.get_ref(i)?))));
            columns.iter().enumerate().map(cell).collect()
        };
        Ok(statement.query_row([id], object).optional()?)
    }

    /// The names of the tables.
    pub fn table_names(&self) -> Result<Vec<String>> {
        table_names(&self.reader())
    }

    /// The first ids of a table that begin with these digits.
    pub fn ids(&self, table: &str, digits: &str) -> Result<Vec<String>> {
        let reader = self.reader();
        if !table_names(&reader)?.iter().any(|name| name == table) {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT CAST(rowid AS TEXT) FROM {} WHERE substr(CAST(rowid AS TEXT), 1, length(?1)) = ?1
             ORDER BY rowid LIMIT 1000",
            quoted(table)
        );
        let mut statement = reader.prepare(&sql)?;
        let ids = statement.query_map([digits], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(ids)
    }

    /// Table, id and name of what the shop sells and to whom; empty where the file holds something else.
    pub fn catalog(&self) -> Result<Vec<(String, i64, String)>> {
        let reader = self.reader();
        let tables = table_names(&reader)?;
        if !["customers", "products"].iter().all(|table| tables.iter().any(|name| name == table)) {
            return Ok(Vec::new());
        }
        let mut statement = reader.prepare(
            "SELECT 'customers', id, name FROM customers UNION ALL SELECT 'products', id, name FROM products LIMIT 100",
        )?;
        let entry = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let entries = statement.query_map([], entry)?.collect::<rusqlite::Result<_>>()?;
        Ok(entries)
    }

    /// Places an order at today's prices and takes it from the stock, or does nothing.
    pub fn place_order(&self, customer_id: i64, lines: &[OrderLine]) -> Result<Order> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let order = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let customer = order.query_row("SELECT 1 FROM customers WHERE id = ?1", [customer_id], |_| Ok(()));
        if customer.optional()?.is_none() {
            return Err(ShopError(format!(
                "there is no customer {customer_id}; look the id up in customers"
            )));
        }
        let id = order.query_row(
            "INSERT INTO orders (customer_id, placed_on, status) VALUES (?1, date(), 'placed') RETURNING id",
            [customer_id],
            |row| row.get(0),
        )?;
        let mut total_cents: i64 = 0;
        for &OrderLine { product_id, quantity } in lines {
            let product = order
                .query_row(
                    "SELECT name, price_cents, stock FROM products WHERE id = ?1",
                    [product_id],
                    |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
                )
                .optional()?;
            let Some((name, price, stock)) = product else {
                return Err(ShopError(format!(
                    "there is no product {product_id}; look the id up in products"
                )));
            };
            if i64::from(quantity) > stock {
                return Err(ShopError(format!("{quantity} of {name} are not in stock; there are {stock}")));
            }
            order.execute("UPDATE products SET stock = stock - ?2 WHERE id = ?1", (product_id, quantity))?;
            order.execute(
                "INSERT INTO order_lines (order_id, product_id, quantity, price_cents) VALUES (?1, ?2, ?3, ?4)",
                (id, product_id, quantity, price),
            )?;
            total_cents += price * i64::from(quantity);
        }
        order.commit()?;
        Ok(Order { id, total_cents })
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What `SQLite` asks about while it prepares a statement.
fn only_reading(context: AuthContext<'_>) -> Authorization {
    const PRAGMAS: [&str; 3] = ["table_info", "foreign_key_list", "index_list"];
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !function_name.eq_ignore_ascii_case("load_extension") => {
            Authorization::Allow
        }
        AuthAction::Pragma { pragma_name, .. } if PRAGMAS.contains(&pragma_name) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn query(reader: &Connection, sql: &str, limit: usize) -> Result<Rows> {
    let mut batch = Batch::new(reader, sql);
    let mut statement =
        batch.next()?.ok_or_else(|| ShopError("this is no statement; write a SELECT".to_owned()))?;
    if !matches!(batch.next(), Ok(None)) {
        return Err(ShopError("these are several statements; send one, without `;` inside".to_owned()));
    }
    if !statement.readonly() {
        return Err(ShopError("this statement writes; write a SELECT".to_owned()));
    }
    if statement.parameter_count() > 0 {
        return Err(ShopError(
            "write values into the statement; parameters such as `?` have none here".to_owned(),
        ));
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = Rows { rows: Vec::new(), truncated: false, columns };
    let mut room = RESULT_LIMIT;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let cells = (0..found.columns.len()).map(|i| row.get_ref(i).map(Cell::from));
        let cells = cells.collect::<rusqlite::Result<Vec<_>>>()?;
        let size: usize = cells.iter().map(Cell::size).sum();
        if found.rows.len() == limit || size > room {
            found.truncated = true;
            break;
        }
        room -= size;
        found.rows.push(cells);
    }
    Ok(found)
}

impl Cell {
    fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len() + 2,
            _ => 8,
        }
    }
}

impl From<ValueRef<'_>> for Cell {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(integer) => Self::Integer(integer),
            // JSON has no infinity.
            ValueRef::Real(real) if real.is_finite() => Self::Real(real),
            ValueRef::Real(real) => Self::Text(real.to_string()),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Text(format!("(blob of {} bytes)", bytes.len())),
        }
    }
}

/// Name and kind of every table and view.
fn names(reader: &Connection) -> Result<Vec<(String, String)>> {
    let mut statement = reader.prepare(
        "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let names =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    Ok(names)
}

fn table_names(reader: &Connection) -> Result<Vec<String>> {
    let tables = names(reader)?.into_iter().filter(|(_, kind)| kind == "table");
    Ok(tables.map(|(name, _)| name).collect())
}

/// A name as SQL takes it, whatever is in it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A shop in a file of its own, which goes with it.
    struct Scratch {
        shop: Shop,
        path: PathBuf,
    }

    impl Scratch {
        fn new() -> Self {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("mcp-shop-{}-{count}.db", std::process::id()));
            let _ = std::fs::remove_file(&path);
            Self { shop: Shop::open(&path).unwrap(), path }
        }

        fn query(&self, sql: &str) -> Result<Rows> {
            self.shop.query(sql, 3, || false)
        }

        #[track_caller]
        fn refuses(&self, sql: &str, message: &str) {
            let before = std::fs::read(&self.path).unwrap();
            assert_eq!(self.query(sql).unwrap_err().to_string(), message, "{sql}");
            assert_eq!(std::fs::read(&self.path).unwrap(), before, "{sql}");
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    #[test]
    fn a_query_gives_columns_rows_and_whether_there_is_more() {
        let scratch = Scratch::new();
        let rows = scratch.query("SELECT id, name FROM customers WHERE id < 3").unwrap();
        let row = |id, name: &str| vec![Cell::Integer(id), Cell::Text(name.to_owned())];
        assert_eq!(rows.columns, ["id", "name"]);
        assert_eq!(rows.rows, [row(1, "Ada Lindqvist"), row(2, "Bruno Costa")]);
        assert!(!rows.truncated);
        assert!(!scratch.query("SELECT id FROM customers WHERE id <= 3").unwrap().truncated);
        assert!(scratch.query("SELECT id FROM customers").unwrap().truncated);
        assert!(scratch.query("SELECT hex(zeroblob(200000))").unwrap().truncated);
    }

    #[test]
    fn values_of_every_kind_have_json() {
        let rows = Scratch::new().query("SELECT NULL, 1, 0.5, 'a', x'00ff', 9e999").unwrap();
        assert_eq!(
            serde_json::to_value(&rows.rows[0]).unwrap(),
            json!([null, 1, 0.5, "a", "(blob of 2 bytes)", "inf"])
        );
    }

    #[test]
    fn what_writes_is_refused() {
        let scratch = Scratch::new();
        let only = "not authorized; queries only read: write one SELECT";
        scratch.refuses("DELETE FROM orders", only);
        scratch.refuses("UPDATE products SET stock = 0", only);
        scratch.refuses("INSERT INTO customers VALUES (9, 'a', 'b', 'c') RETURNING id", only);
        scratch.refuses("DROP TABLE order_lines", only);
        scratch.refuses("CREATE TEMP TABLE t (x)", only);
        scratch.refuses("WITH gone AS (SELECT 1) DELETE FROM orders", only);
        scratch.refuses("PRAGMA writable_schema = 1", only);
        scratch.refuses("PRAGMA query_only = 0", only);
        scratch.refuses("BEGIN", only);
        scratch.refuses("VACUUM INTO '/tmp/elsewhere.db'", "this statement writes; write a SELECT");
        scratch.refuses("ATTACH '/etc/passwd' AS p", only);
        let function = "not authorized to use function: load_extension, at \"load_extension('x')\"";
        scratch.refuses("SELECT load_extension('x')", function);
    }

    #[test]
    fn one_statement_is_run_whole_or_not_at_all() {
        let scratch = Scratch::new();
        let several = "these are several statements; send one, without `;` inside";
        scratch.refuses("SELECT 1; DELETE FROM orders", several);
        scratch.refuses("SELECT 1; nonsense", several);
        scratch.refuses("", "this is no statement; write a SELECT");
        scratch.refuses("-- nothing", "this is no statement; write a SELECT");
        assert_eq!(scratch.query("SELECT 1; -- done").unwrap().rows, [[Cell::Integer(1)]]);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let scratch = Scratch::new();
        let hint = "list_tables and describe_table show what there is";
        let price = format!("no such column: pric, at \"pric FROM products\"; {hint}");
        scratch.refuses("SELECT pric FROM products", &price);
        scratch.refuses("SELECT * FROM product", &format!("no such table: product; {hint}"));
        scratch.refuses("SELEC 1", "near \"SELEC\": syntax error, at \"SELEC 1\"");
        scratch.refuses("SELECT ?", "write values into the statement; parameters such as `?` have none here");
        let unknown = scratch.shop.describe("order").unwrap_err().to_string();
        assert_eq!(
            unknown,
            "there is no table \"order\"; there are customers, order_lines, order_totals, orders, products"
        );
    }

    #[test]
    fn a_query_without_end_is_stopped() {
        let scratch = Scratch::new();
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        let mut asked = 0;
        let stop = move || {
            asked += 1;
            asked > 10
        };
        let error = scratch.shop.query(endless, 1, stop).unwrap_err().to_string();
        assert!(error.starts_with("the query took too long"), "{error}");
        assert!(scratch.query("SELECT 1").is_ok());
    }

    #[test]
    fn a_table_is_described_with_what_it_refers_to() {
        let scratch = Scratch::new();
        let description = scratch.shop.describe("Orders").unwrap();
        assert_eq!(description.table, Table { name: "orders".into(), kind: "table".into(), rows: 12 });
        let customer = &description.columns[1];
        assert_eq!((customer.name.as_str(), customer.nullable), ("customer_id", false));
        assert_eq!(customer.references.as_deref(), Some("customers.id"));
        assert!(scratch.shop.describe("order_totals").unwrap().sql.starts_with("CREATE VIEW"));
    }

    #[test]
    fn an_order_is_placed_whole_or_not_at_all() {
        let scratch = Scratch::new();
        let line = |product_id, quantity| OrderLine { product_id, quantity };
        let order = scratch.shop.place_order(1, &[line(7, 2), line(2, 1)]).unwrap();
        assert_eq!(order, Order { id: 13, total_cents: 4050 });
        let stock = |id| scratch.shop.row("products", id).unwrap().unwrap()["stock"].clone();
        assert_eq!(stock(7), 73);

        let refused = |customer, lines: &[OrderLine]| {
            scratch.shop.place_order(customer, lines).unwrap_err().to_string()
        };
        assert_eq!(
            refused(1, &[line(7, 1), line(4, 1)]),
            "1 of Earl Grey 250 g are not in stock; there are 0"
        );
        assert_eq!(refused(99, &[line(7, 1)]), "there is no customer 99; look the id up in customers");
        assert_eq!(refused(1, &[line(99, 1)]), "there is no product 99; look the id up in products");
        assert_eq!(stock(7), 73);
        assert_eq!(scratch.shop.row("orders", 14), Ok(None));
    }

    #[test]
    fn a_file_keeps_what_it_holds() {
        let scratch = Scratch::new();
        scratch.shop.place_order(1, &[OrderLine { product_id: 7, quantity: 1 }]).unwrap();
        let again = Shop::open(&scratch.path).unwrap();
        assert_eq!(again.ids("orders", "1").unwrap(), ["1", "10", "11", "12", "13"]);
        assert_eq!(again.ids("no such table", ""), Ok(Vec::new()));
        assert_eq!(again.row("sqlite_schema", 1), Ok(None));
    }
}
