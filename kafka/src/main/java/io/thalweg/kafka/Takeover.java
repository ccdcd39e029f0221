// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commits, exactly once, what a checkpoint holds of outputs whose tasks no longer exist. */
record Takeover(SinkSettings sink, SinkContext context, OutputNumbers numbers) {
    static List<SavedOutput> finish(SinkSettings sink, SinkContext context, List<byte[]> saved)
            throws InterruptedException {
        List<SavedOutput> outputs =
                saved.stream().map(bytes -> SavedOutput.of(bytes, sink)).toList();
        if (outputs.stream().anyMatch(SavedOutput::transactional)) {
            try (OutputNumbers numbers = new OutputNumbers(sink.settings())) {
                Takeover takeover = new Takeover(sink, context, numbers);
                for (SavedOutput output : outputs) {
                    takeover.finish(output);
                }
            }
        }
        return outputs;
    }

    private void finish(SavedOutput output) throws InterruptedException {
        if (!output.transactional()) {
            return;
        }
        SinkSettings former = sink.into(output.topic());
        Sender.fence(former, output.name());
        numbers.awaitEnded(output.name(), output.topic());
        OutputNumbers.Entry now = numbers.of(output.name().toString(), output.topic());
        OutputNumbers.Entry own = now != null && now.run().equals(output.last().run()) ? now : null;
        long promised = output.last().number();
        if (own != null && own.number() > promised && output.name().prefix().equals(sink.idPrefix(context))) {
            throw tooOld(sink, context, output.name().prefix());
        }
        if (output.logs().isEmpty() || (own != null && own.number() >= promised)) {
            return;
        }
        if (own == null || own.number() < output.first() - 1) {
            throw new ConnectorException("cannot restore the output to topic " + output.topic()
                    + ": the checkpoint has messages of it, and it cannot be said whether they are in the topic. "
                    + why(now, output) + "; to continue without them, --discard-state '" + context.operator() + "'");
        }
        replay(former, output, own.number());
    }

    private static String why(OutputNumbers.@Nullable Entry now, SavedOutput output) {
        if (now == null) {
            return "Group " + output.name()
                    + " has no offset: this is another cluster, the topic or the group was deleted,"
                    + " or the job was away for longer than the broker's offsets.retention.minutes";
        }
        return now.run().equals(output.last().run())
                ? "Group " + output.name() + " has the offset " + now.number() + ", but the checkpoint follows "
                        + (output.first() - 1) + ": somebody has changed it"
                : "Another job has used the transactional ids " + output.name() + "-… since; give each job"
                        + " a transactionalIdPrefix(…) of its own";
    }

    /** @param visible number of the last committed transaction */
    private static void replay(SinkSettings former, SavedOutput output, long visible) throws InterruptedException {
        try (Sender sender =
                Sender.transactional(former, output.name().transactionalIds().get(0))) {
            sender.begin();
            for (int i = (int) (visible - output.first() + 1); i < output.logs().size(); i++) {
                output.logs().get(i).sendTo(sender, former);
            }
            sender.prepare(output.name(), output.last());
            sender.commit();
        }
    }

    static ConnectorException tooOld(SinkSettings sink, SinkContext context, String prefix) {
        return new ConnectorException("cannot restore checkpoint " + context.checkpoint() + ": " + sink
                + " holds messages that were written after it, and Kafka does not take them back. Restore the latest"
                + " checkpoint; or, if results may be there twice, give the sink a transactionalIdPrefix(…) other than '"
                + prefix + "'");
    }
}
