// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.files;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;

/** Orders by shop and product: how many, the greatest price, the sum of pieces. */
public final class CsvGroup implements TopologyDefinition {
    record Order(String shop, String product, long quantity, double price) {
        Key key() {
            return new Key(shop, product);
        }
    }

    record Key(String shop, String product) {}

    record Figures(long n, double price, long quantity) {}

    record Row(String shop, String product, long n, double price, long quantity) {
        static Row of(Key key, Figures figures) {
            return new Row(key.shop, key.product, figures.n, figures.price, figures.quantity);
        }
    }

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Csv.read(settings.text("in", "-"), Order.class))
                .keyBy(Order::key)
                .window(Windows.whole())
                .aggregate(Aggregates.into(
                        Figures.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("price", Aggregates.max(Order::price)),
                        Aggregates.named("quantity", Aggregates.sum(Order::quantity))))
                .map(result -> Row.of(result.key(), result.value()))
                .to(Csv.write(settings.text("out", "-"), Row.class));
    }
}
