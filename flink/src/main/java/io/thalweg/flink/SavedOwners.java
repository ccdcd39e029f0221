// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.flink.report.StageFailure;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.OperatorID;

/**
 * Checks that each state in a checkpoint of Flink belongs to an operator of the job. Flink itself knows operators only
 * by hashes.
 */
final class SavedOwners {
    private SavedOwners() {}

    /** States that every stage has besides those of users: counts, which may start again at 0, its watermark, and the names of its states. */
    private static final Set<String> OF_EVERY_STAGE = Set.of("bad", "late", "passed", "declared", "watermark");

    /**
     * @param from as {@link SavedJob#toGoOnFrom} returned it
     * @param saved what is there
     * @param discard names of operators whose state is not restored
     * @return true if a state has no owner and needs none: it is discarded, or counts of an operator without state
     * @throws ConnectorException if a state that must be restored has no owner
     */
    static boolean check(String topology, JobGraph job, String from, CheckpointMetadata saved, Set<String> discard) {
        Set<OperatorID> owners = new HashSet<>();
        for (JobVertex vertex : job.getVertices()) {
            for (OperatorIDPair pair : vertex.getOperatorIDs()) {
                owners.add(pair.getUserDefinedOperatorID().orElse(pair.getGeneratedOperatorID()));
                owners.add(pair.getGeneratedOperatorID());
            }
        }
        Set<String> unnamed = new TreeSet<>();
        Set<String> gone = new TreeSet<>();
        boolean leftOut = false;
        for (OperatorState state : saved.getOperatorStates()) {
            String uid = state.getOperatorUid().orElse(state.getOperatorName().orElse(""));
            String name = Translation.nameOf(uid);
            if (owners.contains(state.getOperatorID())) {
                continue;
            }
            leftOut = true;
            if (!uid.isEmpty() && holds(state) && !discard.contains(name)) {
                (Translation.isUnnamed(uid) ? unnamed : gone).add(name);
            }
        }
        String where = "topology '" + topology + "': cannot continue from " + from + ": ";
        if (!unnamed.isEmpty()) {
            throw new ConnectorException(where + "the topology has changed, and operators without a name of their own"
                    + " keep state there: " + unnamed
                    + "; run the topology as it was, or restore without their state with"
                    + " --discard-state. Give operators names before the next change: .name(\"…\")");
        }
        if (!gone.isEmpty()) {
            throw new ConnectorException(where + "it holds state of operators " + gone
                    + ", which this topology does not have; give them their old names, or restore without their state with"
                    + " --discard-state");
        }
        return leftOut;
    }

    private static boolean holds(OperatorState state) {
        return state.getCoordinatorState() != null || state.getStates().stream().anyMatch(SavedOwners::holds);
    }

    private static boolean holds(OperatorSubtaskState state) {
        return !state.getManagedKeyedState().isEmpty()
                || !state.getRawKeyedState().isEmpty()
                || state.getManagedOperatorState().stream()
                        .flatMap(handle -> handle.getStateNameToPartitionOffsets().entrySet().stream())
                        .anyMatch(each -> !OF_EVERY_STAGE.contains(each.getKey())
                                && each.getValue().getOffsets().length > 0);
    }

    /** Whether it is a savepoint that its job was stopped with; false if that cannot be read. */
    static boolean endsJob(String from) {
        try {
            CheckpointProperties properties = read(from).getCheckpointProperties();
            return properties != null && properties.isSynchronous();
        } catch (ConnectorException e) {
            return false;
        }
    }

    /** @throws ConnectorException if it cannot be read */
    static CheckpointMetadata read(String from) {
        Path metadata = SavedJob.path(from).resolve("_metadata");
        try (DataInputStream in = new DataInputStream(Files.newInputStream(metadata))) {
            return Checkpoints.loadCheckpointMetadata(in, SavedOwners.class.getClassLoader(), from);
        } catch (IOException | RuntimeException e) { // of what is damaged, or of a later version, Flink may throw any
            throw new ConnectorException(
                    "cannot continue from " + from + ": its _metadata cannot be read: " + StageFailure.words(e)
                            + "; restore another checkpoint or savepoint with --restore DIR",
                    e);
        }
    }
}
