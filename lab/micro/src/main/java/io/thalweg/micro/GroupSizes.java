// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of heap that a group of {@link GroupBenchmark} takes, its key record with it but not the texts of that: used heap after
 * a collection when all groups are there, minus the same before the first record.
 */
public final class GroupSizes {
    private static final int RECORDS = 2_000_000;

    private GroupSizes() {}

    public static void main(String[] arguments) throws InterruptedException {
        Topology topology = Topology.named("sizes");
        topology.from(new Measuring())
                .keyBy(Sale::group)
                .window(Windows.whole())
                .aggregate(GroupBenchmark.figures())
                .to(new GroupBenchmark.OfWindows());
        Runs.run(topology, Runs.narrow());
    }

    private record Measuring() implements Source<Sale> {
        @Override
        public String name() {
            return "sales";
        }

        @Override
        public Type<Sale> type() {
            return Type.of(Sale.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Sale> open(String split, SourceContext context) {
            return new Reader();
        }
    }

    private static final class Reader implements SplitReader<Sale> {
        private final SaleSource.Reader sales = new SaleSource.Reader(RECORDS);
        private long usedBefore;

        @Override
        public @Nullable Sale poll() {
            if (sales.position() == 0) {
                usedBefore = used();
            }
            Sale sale = sales.poll();
            if (sale != null && sales.finished()) {
                System.out.printf("%,d bytes a group%n", (used() - usedBefore) / SaleSource.GROUPS);
            }
            return sale;
        }

        private static long used() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }

        @Override
        public boolean finished() {
            return sales.finished();
        }

        @Override
        public long position() {
            return sales.position();
        }
    }
}
