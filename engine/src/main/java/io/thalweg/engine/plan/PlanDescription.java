// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.run.PlanBuilder;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Describes a plan as data. */
public final class PlanDescription {
    private PlanDescription() {}

    /** The plan of a job that this engine runs. */
    public static PlanInfo of(Plan plan, RunSettings settings) {
        PlanBuilder builder = new PlanBuilder(plan.graph(), settings);
        addChains(plan, builder, chain -> chain.blocking() ? "each on a thread of its own" : "");
        int threads = settings.threads();
        builder.workers(Math.min(
                threads,
                plan.chains().stream()
                        .filter(chain -> !chain.blocking())
                        .mapToInt(Chain::parallelism)
                        .sum()));
        if (threads > 1) {
            addDecoding(plan, builder, threads);
        }
        return builder.build(Runner.EMBEDDED, settings.guarantee().words(), crossing(plan));
    }

    public static void addChains(Plan plan, PlanBuilder builder, Function<Chain, String> runsAs) {
        for (Chain chain : plan.chains()) {
            builder.chain(chain.operators(), chain.parallelism(), runsAs.apply(chain));
        }
    }

    /** Adds which sources decode on worker threads; how many threads depends on the number of splits at the start. */
    private static void addDecoding(Plan plan, PlanBuilder builder, int threads) {
        int splits = threads / 2;
        for (Node node : plan.graph().nodes()) {
            Source<Object> source = node.spec().source();
            if (source != null && source.decodesInPieces()) {
                builder.option(
                        node.name(),
                        "decoding",
                        "by all " + threads + " workers, if it has " + splits + (splits == 1 ? " split" : " splits")
                                + " at most; else each split by its own reader");
            }
        }
    }

    public static PlanBuilder.Crossing crossing(Plan plan) {
        return new PlanBuilder.Crossing() {
            @Override
            public String codec(Edge edge) {
                return PlanDescription.codec(edge.type());
            }

            @Override
            public @Nullable String reason(Edge edge) {
                return plan.reason(edge);
            }
        };
    }

    /** Empty for {@code Long}, {@code record}, or {@code PngCodec}. */
    private static String codec(Type<Object> type) {
        Class<?> codec = type.codec().getClass();
        if (!codec.getPackageName().equals(Codec.class.getPackageName())) {
            return codec.getSimpleName();
        }
        Class<?> raw = type.raw();
        if (raw.isRecord()) {
            return "record";
        }
        return raw.isEnum() ? "enum" : "";
    }
}
