// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What messages hold, made before anything is measured, and the same in every JVM. */
final class Payloads {
    /** Bytes of a message. */
    static final int SIZE = 1024;

    private static final int VALUES = 1_000;
    private static final int LINES = 20_000;

    private static byte @Nullable [][] values;
    private static byte @Nullable [][] lines;
    private static @Nullable Path file;

    private Payloads() {}

    /** Random letters. */
    static synchronized byte[][] values() {
        byte[][] all = values;
        if (all == null) {
            all = new byte[VALUES][SIZE];
            Random random = new Random(17);
            for (byte[] value : all) {
                for (int i = 0; i < SIZE; i++) {
                    value[i] = (byte) ('A' + random.nextInt(26));
                }
            }
            values = all;
        }
        return all;
    }

    /** The same, a line each. */
    static synchronized Path file() throws IOException {
        Path known = file;
        if (known == null) {
            List<String> texts = new ArrayList<>();
            for (byte[] value : values()) {
                texts.add(new String(value, StandardCharsets.US_ASCII));
            }
            known = Files.createTempFile("payloads", ".txt");
            Files.write(known, texts);
            file = known;
        }
        return known;
    }

    /** Network probes as JSON; {@code bytesUp} of line n is {@link TelecomLines#BYTES_UP} + n. */
    static synchronized byte[][] lines() {
        byte[][] all = lines;
        if (all == null) {
            TelecomLines made = new TelecomLines(TelecomSize.SMALL);
            all = new byte[LINES][];
            for (int n = 0; n < LINES; n++) {
                all[n] = made.line(n);
            }
            lines = all;
        }
        return all;
    }
}
