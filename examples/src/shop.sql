-- A small shop. Prices are in cents.

CREATE TABLE customers (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    email   TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL
);

CREATE TABLE products (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    category    TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    stock       INTEGER NOT NULL CHECK (stock >= 0)
);

CREATE TABLE orders (
    id          INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    placed_on   TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('placed', 'shipped', 'delivered', 'returned'))
);

CREATE TABLE order_lines (
    id          INTEGER PRIMARY KEY,
    order_id    INTEGER NOT NULL REFERENCES orders (id),
    product_id  INTEGER NOT NULL REFERENCES products (id),
    quantity    INTEGER NOT NULL CHECK (quantity > 0),
    price_cents INTEGER NOT NULL
);

CREATE INDEX order_lines_by_order ON order_lines (order_id);

CREATE VIEW order_totals AS
SELECT orders.id, customer_id, placed_on, status, sum(quantity * price_cents) AS total_cents
FROM orders JOIN order_lines ON order_lines.order_id = orders.id
GROUP BY orders.id;

INSERT INTO customers (id, name, email, country) VALUES
    (1, 'Ada Lindqvist', 'ada@example.com', 'Sweden'),
    (2, 'Bruno Costa', 'bruno@example.com', 'Portugal'),
    (3, 'Chidi Okafor', 'chidi@example.com', 'Nigeria'),
    (4, 'Dana Novak', 'dana@example.com', 'Czechia'),
    (5, 'Emi Tanaka', 'emi@example.com', 'Japan'),
    (6, 'Farid Haddad', 'farid@example.com', 'Morocco');

INSERT INTO products (id, name, category, price_cents, stock) VALUES
    (1, 'Espresso beans 1 kg', 'coffee', 2190, 40),
    (2, 'Filter beans 500 g', 'coffee', 1250, 60),
    (3, 'Green tea 100 g', 'tea', 890, 35),
    (4, 'Earl Grey 250 g', 'tea', 1190, 0),
    (5, 'Hand grinder', 'equipment', 6900, 12),
    (6, 'Pour-over set', 'equipment', 3450, 18),
    (7, 'Ceramic mug', 'equipment', 1400, 75),
    (8, 'Gooseneck kettle', 'equipment', 7990, 5);

INSERT INTO orders (id, customer_id, placed_on, status) VALUES
    (1, 1, '2026-01-04', 'delivered'),
    (2, 2, '2026-01-17', 'delivered'),
    (3, 1, '2026-02-02', 'delivered'),
    (4, 3, '2026-02-11', 'returned'),
    (5, 4, '2026-02-27', 'delivered'),
    (6, 5, '2026-03-08', 'delivered'),
    (7, 2, '2026-03-15', 'delivered'),
    (8, 6, '2026-04-01', 'delivered'),
    (9, 1, '2026-04-20', 'shipped'),
    (10, 5, '2026-05-02', 'shipped'),
    (11, 3, '2026-05-19', 'placed'),
    (12, 4, '2026-05-30', 'placed');

INSERT INTO order_lines (order_id, product_id, quantity, price_cents) VALUES
    (1, 1, 2, 2190), (1, 5, 1, 6900),
    (2, 3, 1, 890), (2, 7, 2, 1400),
    (3, 1, 3, 2190),
    (4, 8, 1, 7990),
    (5, 2, 4, 1250), (5, 6, 1, 3450),
    (6, 3, 5, 890), (6, 4, 2, 1190),
    (7, 1, 1, 2190), (7, 2, 1, 1250),
    (8, 6, 1, 3450), (8, 7, 4, 1400),
    (9, 1, 2, 2190), (9, 2, 2, 1250),
    (10, 3, 3, 890), (10, 8, 1, 7990),
    (11, 5, 1, 6900),
    (12, 7, 1, 1400), (12, 4, 1, 1190);
