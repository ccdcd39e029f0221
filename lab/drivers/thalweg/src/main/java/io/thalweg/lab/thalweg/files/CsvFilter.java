// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg.files;

import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.files.Csv;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Half of the orders, all columns. */
public final class CsvFilter implements TopologyDefinition {
    record Order(
            long id,
            Instant time,
            String shop,
            String product,
            long quantity,
            double price,
            @Nullable String note) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Csv.read(settings.text("in", "-"), Order.class))
                .filter(order -> order.quantity() > 500)
                .to(Csv.write(settings.text("out", "-"), Order.class));
    }
}
