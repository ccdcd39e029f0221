// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.graph.Demand;
import io.thalweg.flink.report.AllOpened;
import io.thalweg.flink.report.OperatorInfo;
import java.io.Serializable;
import java.util.BitSet;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.RichSourceReaderContext;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/** Adapts a source of Thalweg to Flink: its splits are Flink's splits, its positions are in Flink's checkpoints. */
public final class SplitSource implements Source<Object, Split, Assignment> {
    private static final long serialVersionUID = 1L;

    private final io.thalweg.api.connector.Source<Object> source;
    private final OperatorInfo place;
    private final Restoring restoring;
    private final Wanted wanted;

    /**
     * Decides whether the source is still needed when limits are reached.
     *
     * @param node its number in the graph
     */
    public record Wanted(int node, Demand demand) implements Serializable {
        /** True if the graph has limits, so that the source may have to end early. */
        boolean mayCease() {
            return !demand.limits().isEmpty();
        }

        boolean no(BitSet reached) {
            return demand.unwanted(reached).get(node);
        }
    }

    /**
     * How the source continues from a checkpoint.
     *
     * @param checkpoints true if the job takes checkpoints
     * @param acceptChanged true to continue at the saved position even if the input has changed
     * @param allOpened null if the job is not restored
     */
    public record Restoring(
            boolean checkpoints,
            boolean acceptChanged,
            @Nullable AllOpened allOpened) implements Serializable {}

    public SplitSource(
            io.thalweg.api.connector.Source<Object> source, OperatorInfo place, Restoring restoring, Wanted wanted) {
        this.wanted = wanted;
        this.source = source;
        this.place = place;
        this.restoring = restoring;
    }

    /** Always unbounded for Flink, because whether a source ends is not known before. */
    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Object, Split> createReader(SourceReaderContext context) {
        return new SplitsReader(source, place, restoring, wanted.mayCease(), (RichSourceReaderContext) context);
    }

    @Override
    public SplitEnumerator<Split, Assignment> createEnumerator(SplitEnumeratorContext<Split> context) {
        return new SplitsEnumerator(context, source, place, wanted, Assignment.NONE);
    }

    @Override
    public SplitEnumerator<Split, Assignment> restoreEnumerator(
            SplitEnumeratorContext<Split> context, Assignment checkpoint) {
        return new SplitsEnumerator(context, source, place, wanted, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<Split> getSplitSerializer() {
        return new Split.Serializer();
    }

    @Override
    public SimpleVersionedSerializer<Assignment> getEnumeratorCheckpointSerializer() {
        return new Assignment.Serializer();
    }
}
