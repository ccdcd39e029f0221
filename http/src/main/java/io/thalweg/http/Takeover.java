// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.util.List;

/** How a writer goes on from a checkpoint. */
final class Takeover {
    private Takeover() {}

    /** Sends what the checkpoint has promised, perhaps once more, and goes on with the slots of one of the former tasks. */
    static void of(List<byte[]> saved, Batches batches, RequestsInFlight sending) throws InterruptedException {
        List<SavedOutput> all = saved.stream()
                .map(each -> SavedOutput.of(each, batches.format()))
                .toList();
        for (SavedOutput each : all) {
            for (SavedOutput.Held held : each.held()) {
                sending.submit(held.batch());
            }
        }
        sending.flush();
        if (!all.isEmpty()) {
            batches.follow(all.get(0));
        }
    }
}
