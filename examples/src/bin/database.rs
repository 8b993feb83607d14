//! A shop in a `SQLite` file: tools that query it safely, its schema and rows as resources, prompts with examples.
//!
//! ```sh
//! cargo run -p mcp-examples --bin database -- call query '{"sql":"SELECT name, stock FROM products"}'
//! cargo run -p mcp-examples --bin database -- --http 127.0.0.1:8080
//! ```

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mcp_examples::shop::{Description, Order, OrderLine, Rows, Shop, ShopError, Table};
use mcp_runtime::CompletionRequest;
use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

const QUERY_TIME: Duration = Duration::from_secs(5);

/// Run one SELECT statement of `SQLite`. Statements that write are refused.
#[tool(title = "Query", read_only, idempotent, open_world = false, blocking)]
fn query(
    /// For example: SELECT name, stock FROM products WHERE stock < 10
    sql: &str,
    /// The most rows to give.
    #[arg(default = 100, range(1..=1000))]
    limit: u16,
    shop: State<Shop>,
    ctx: Context,
) -> Result<Json<Rows>, ShopError> {
    let end = Instant::now() + QUERY_TIME;
    let rows = shop.query(sql, limit.into(), move || ctx.is_cancelled() || Instant::now() > end)?;
    Ok(Json(rows))
}

#[derive(Serialize, JsonSchema)]
struct Tables {
    tables: Vec<Table>,
}

/// List the tables and views with their number of rows.
#[tool(read_only, idempotent, open_world = false)]
fn list_tables(shop: State<Shop>) -> Result<Json<Tables>, ShopError> {
    Ok(Json(Tables { tables: shop.tables()? }))
}

/// Describe the columns of a table.
#[tool(read_only, idempotent, open_world = false)]
fn describe_table(
    /// Its name, as list_tables gives it.
    table: &str,
    shop: State<Shop>,
) -> Result<Json<Description>, ShopError> {
    shop.describe(table).map(Json)
}

/// Place an order for a customer at today's prices.
#[tool(title = "Place an order", destructive = false, open_world = false)]
fn insert_order(
    /// The customer's id.
    customer_id: i64,
    /// What is ordered.
    #[arg(length(1..=20))]
    lines: Vec<OrderLine>,
    shop: State<Shop>,
) -> Result<Json<Order>, ShopError> {
    shop.place_order(customer_id, &lines).map(Json)
}

/// The statements that made the tables.
#[resource("db://schema", title = "Schema", mime = "application/sql")]
fn schema(shop: State<Shop>) -> Result<String, ShopError> {
    shop.schema()
}

/// A row by its id.
#[resource("db://{table}/rows/{id}", title = "Row", mime = "application/json", list = catalog)]
fn row(
    #[arg(complete = tables)] table: &str,
    #[arg(complete = ids)] id: i64,
    shop: State<Shop>,
) -> Result<Option<Json<Map<String, Value>>>, ShopError> {
    Ok(shop.row(table, id)?.map(Json))
}

/// How much to say.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Style {
    /// One sentence.
    #[default]
    Short,
    /// Clause by clause.
    Detailed,
}

/// Explain what a query asks, in words.
#[prompt(title = "Explain a query")]
fn explain_query(
    /// The SQL text.
    sql: &str,
    style: Option<Style>,
) -> Vec<Message> {
    let example = "SELECT count(*) FROM orders WHERE status = 'placed'";
    let (task, answer) = match style.unwrap_or_default() {
        Style::Short => ("Explain in one sentence", "How many orders are placed, but not yet shipped?"),
        Style::Detailed => (
            "Explain clause by clause",
            "- `FROM orders`: looks at every order\n\
             - `WHERE status = 'placed'`: keeps those that are not yet shipped\n\
             - `SELECT count(*)`: says how many are left",
        ),
    };
    vec![
        Message::user(format!("{task}:\n\n```sql\n{example}\n```")),
        Message::assistant(answer),
        Message::user(format!("{task}:\n\n```sql\n{sql}\n```")),
    ]
}

/// Report on the sales of a month.
#[prompt(title = "Sales report")]
fn sales_report(
    /// As 2026-05.
    #[arg(complete = months, pattern = r"^\d{4}-\d{2}$")]
    month: &str,
    shop: State<Shop>,
) -> Result<Vec<Message>, ShopError> {
    let schema = ResourceContents::text("db://schema", shop.schema()?).mime_type("application/sql");
    Ok(vec![
        Message::user(schema),
        Message::user("Report on the sales of 2026-01."),
        Message::assistant(
            "**January 2026**: 2 orders worth 149.70 in all, both delivered.\n\n\
             | product | sold | revenue |\n| --- | --- | --- |\n\
             | Hand grinder | 1 | 69.00 |\n| Espresso beans 1 kg | 2 | 43.80 |\n\
             | Ceramic mug | 2 | 28.00 |\n| Green tea 100 g | 1 | 8.90 |",
        ),
        Message::user(format!(
            "Report on the sales of {month} in the same form. Take every number from `query`."
        )),
    ])
}

fn shop(ctx: &Context) -> &Shop {
    ctx.state().expect("`main` registers it")
}

fn tables(typed: &str, ctx: &Context) -> Result<Completions, ShopError> {
    Ok(Completions::matching(typed, shop(ctx).table_names()?))
}

/// The ids of the table that was chosen before.
fn ids(request: &CompletionRequest<'_>) -> Result<Vec<String>, ShopError> {
    let table = request.argument("table").unwrap_or_default();
    shop(request.context()).ids(table, request.value())
}

fn months(typed: &str) -> Completions {
    Completions::matching(typed, ["2026-05", "2026-04", "2026-03", "2026-02", "2026-01"])
}

/// Customers and products; orders grow without end and are reached by id.
fn catalog(ctx: &Context) -> Result<Vec<ResourceLink>, ShopError> {
    let link = |(table, id, name): (String, i64, String)| {
        ResourceLink::new(format!("db://{table}/rows/{id}")).name(format!("{table}-{id}")).title(name)
    };
    Ok(shop(ctx).catalog()?.into_iter().map(link).collect())
}

#[derive(clap::Args)]
struct Options {
    /// The database; a shop is put into a file that is empty or not there [default: shop.db among temporary files]
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let (server, options) = mcp_runtime::server!()
        .title("Shop")
        .instructions("A shop's database. Look at list_tables or db://schema before you write a query.")
        .cli::<Options>();
    let file = options.file.unwrap_or_else(|| std::env::temp_dir().join("shop.db"));
    match Shop::open(&file) {
        Ok(shop) => server.state(shop).main(),
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use mcp_runtime::testing::Client;
    use serde_json::json;

    use super::Shop;

    /// A client of a shop in a file of its own, which goes with the test.
    struct Scratch {
        client: Client,
        path: PathBuf,
    }

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("mcp-database-{name}-{}.db", std::process::id()));
            let _ = std::fs::remove_file(&path);
            let client = Client::new(mcp_runtime::server!().state(Shop::open(&path).unwrap())).unwrap();
            Self { client, path }
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    #[tokio::test]
    async fn a_query_reads_and_does_not_write() {
        let Scratch { client, .. } = &Scratch::new("query");
        let count = json!({ "sql": "SELECT count(*) AS n FROM orders" });
        let rows = client.call("query", count.clone()).await.unwrap().structured_content.unwrap();
        assert_eq!(rows, json!({ "columns": ["n"], "rows": [[12]], "truncated": false }));
        let refused = client.call("query", json!({ "sql": "DELETE FROM orders" })).await.unwrap();
        assert_eq!(refused.text(), "not authorized; queries only read: write one SELECT");
        let order = json!({ "customer_id": 2, "lines": [{ "product_id": 7, "quantity": 3 }] });
        let order = client.call("insert_order", order).await.unwrap().structured_content.unwrap();
        assert_eq!(order, json!({ "id": 13, "total_cents": 4200 }));
        let rows = client.call("query", count).await.unwrap().structured_content.unwrap();
        assert_eq!(rows["rows"], json!([[13]]));
    }

    #[tokio::test]
    async fn ids_complete_for_the_table_that_was_chosen() {
        let Scratch { client, .. } = &Scratch::new("completion");
        let offered = async |argument, context| {
            let reference = json!({ "type": "ref/resource", "uri": "db://{table}/rows/{id}" });
            let params =
                json!({ "ref": reference, "argument": argument, "context": { "arguments": context } });
            client.request("completion/complete", params).await.unwrap()["completion"]["values"].clone()
        };
        let tables = offered(json!({ "name": "table", "value": "order" }), json!({})).await;
        assert_eq!(tables, json!(["order_lines", "orders"]));
        let ids = offered(json!({ "name": "id", "value": "1" }), json!({ "table": "orders" })).await;
        assert_eq!(ids, json!(["1", "10", "11", "12"]));
    }

    #[tokio::test]
    async fn every_row_that_is_listed_can_be_read() {
        let Scratch { client, .. } = &Scratch::new("rows");
        let listed = client.list("resources").await.unwrap();
        assert_eq!(listed.len(), 15);
        for resource in listed {
            client.read(resource["uri"].as_str().unwrap()).await.unwrap();
        }
        for missing in ["db://orders/rows/99", "db://nothing/rows/1", "db://sqlite_schema/rows/1"] {
            assert_eq!(client.read(missing).await.unwrap_err().code(), -32602, "{missing}");
        }
    }
}
