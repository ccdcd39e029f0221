// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.observation.KafkaSends;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KafkaClientsTest {
    /** What {@link KafkaClients} reads of a producer. */
    static final class Told extends Event {
        String operator = "results";
        long client;
        long records;
        long requests;
        long bytes;
        long bufferWaitNs;
        long flushNs;
        double batchBytes;
        double latencyMs;
        double queueMs;
        double throttleMs;
        long batchSize;
        long lingerMs;
        String compression = "none";
    }

    private static void tell(long client, long records) {
        Told told = new Told();
        told.client = client;
        told.records = records;
        told.commit();
    }

    /** After a restart each task has another client; both were there for a part of the time. */
    @Test
    void shouldTakeTheTimeFromTheFirstClientToTheLast(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("told.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(Told.class);
            recording.start();
            tell(1, 0);
            tell(1, 500);
            tell(2, 0);
            tell(2, 700);
            recording.stop();
            recording.dump(file);
        }
        KafkaClients clients = new KafkaClients();
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(Told.class.getName()))
                .toList();
        assertThat(events).hasSize(4);
        events.forEach(clients::addSends);

        KafkaSends sends = clients.sends().get("results");
        assertThat(sends).isNotNull();
        assertThat(sends.records()).isEqualTo(1_200);
        long firstToLastNs = Duration.between(
                        events.stream()
                                .map(RecordedEvent::getStartTime)
                                .min(Comparator.naturalOrder())
                                .orElseThrow(),
                        events.stream()
                                .map(RecordedEvent::getStartTime)
                                .max(Comparator.naturalOrder())
                                .orElseThrow())
                .toNanos();
        assertThat(sends.observedNs() / sends.producers()).isEqualTo(firstToLastNs);
    }
}
