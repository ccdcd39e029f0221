// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Cuts the records of a task into batches, and says where each stands in the output. */
final class Batches {
    private final Batching batching;
    private String lineage = UUID.randomUUID().toString();
    private long interval;
    private long number;
    private long count;
    private List<byte[]> records = new ArrayList<>();
    private @Nullable String key;
    private long bytes;

    Batches(Batching batching) {
        this.batching = batching;
    }

    /** Goes on with the slots of a former task, which no other task does; before the first record. */
    void follow(SavedOutput saved) {
        lineage = saved.lineage();
        interval = saved.interval();
    }

    BodyFormat format() {
        return batching.format();
    }

    String lineage() {
        return lineage;
    }

    long interval() {
        return interval;
    }

    /** Behind a checkpoint. */
    void beginInterval() {
        interval++;
        number = 0;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    /** False if the batch has to be taken before. */
    boolean hasRoom(byte[] record) {
        return records.isEmpty() || bytes + record.length + 1 <= most();
    }

    void add(byte[] record, @Nullable String recordKey) {
        records.add(record);
        bytes += record.length + 1; // with what stands between
        key = recordKey;
        count++;
    }

    boolean full() {
        return records.size() >= batching.most() || bytes >= most();
    }

    /** Of the records, each with what stands behind it. */
    private int most() {
        return batching.bytes() - batching.format().before();
    }

    Batch take() {
        Batch batch = new Batch(
                lineage + "/" + interval + "/" + number++,
                key,
                count - records.size() + 1,
                List.copyOf(records),
                batching.format());
        records = new ArrayList<>();
        bytes = 0;
        return batch;
    }
}
