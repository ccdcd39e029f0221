// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.ExitCodes;
import io.thalweg.cli.Failures;
import io.thalweg.kafka.KafkaCluster;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Mixin;

/** A command that asks a cluster for something; what goes wrong is told in one line. */
abstract class ClusterCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    /** What cannot be done if it cannot, for instance {@code list topics}. */
    abstract String what();

    /** @param watch waits for an answer when this begins, and is told what comes of it if this takes long or asks no more */
    abstract void run(KafkaCluster cluster, AnswerWatch watch) throws Exception;

    @Override
    public final Integer call() {
        try {
            KafkaCluster cluster = options.cluster();
            try (AnswerWatch watch = AnswerWatch.start(cluster.servers())) {
                watch.asked();
                run(cluster, watch);
                watch.heard();
            } catch (ExecutionException | KafkaException e) {
                throw cluster.failure(what(), e);
            }
            return ExitCodes.DONE;
        } catch (Exception | Error e) {
            return Failures.report(e, options.debug());
        }
    }
}
