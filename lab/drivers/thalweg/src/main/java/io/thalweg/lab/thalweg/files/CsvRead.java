// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.files;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;

/** Four of the seven columns of orders, and nothing but their totals. */
public final class CsvRead implements TopologyDefinition {
    record Order(String shop, String product, long quantity, double price) {
        long chars() {
            return (long) shop.length() + product.length();
        }
    }

    record Totals(long n, long chars, long quantity, double price) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Csv.read(settings.text("in", "-"), Order.class))
                .window(Windows.whole())
                .aggregate(Aggregates.into(
                        Totals.class,
                        Aggregates.named("n", Aggregates.count()),
                        Aggregates.named("chars", Aggregates.sum(Order::chars)),
                        Aggregates.named("quantity", Aggregates.sum(Order::quantity)),
                        Aggregates.named("price", Aggregates.max(Order::price))))
                .map(result -> result.value())
                .to(Csv.write(settings.text("out", "-"), Totals.class));
    }
}
