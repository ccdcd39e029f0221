// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import io.thalweg.api.codec.StableHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How keys divide the records of an edge, from samples over all spans together. It holds no key.
 *
 * @param samples keys that were looked at
 * @param records that they stand for, about
 * @param hottest keys with a hundredth of the records or more, the hottest first
 */
public record KeyShares(long samples, long records, List<KeyShare> hottest) {
    /** Of the records: what is less is not worth a line. */
    public static final double LEAST = 0.01;

    public KeyShares {
        hottest = List.copyOf(hottest);
    }

    /** The share of the hottest key: less than {@link #LEAST} if none is listed, and taken as 0 then. */
    public double hottestShare() {
        return hottest.isEmpty() ? 0 : hottest.get(0).share();
    }

    /**
     * The share of the records that the fullest of so many tasks gets: the hottest keys go where the engine sends them, the others are
     * taken to be spread evenly. Never less than the share of the hottest key.
     */
    public double largestPart(int tasks) {
        double[] parts = new double[tasks];
        double others = 1;
        for (KeyShare key : hottest) {
            parts[taskOf(key, tasks)] += key.share();
            others -= key.share();
        }
        return Arrays.stream(parts).max().orElse(0) + Math.max(0, others) / tasks;
    }

    /** Which of so many tasks gets a key. */
    public static int taskOf(KeyShare key, int tasks) {
        return StableHash.taskOf(StableHash.keyGroup(key.hash()), tasks);
    }

    /** Of several edges that lead to the same tasks. */
    public static KeyShares together(List<KeyShares> edges) {
        long samples = edges.stream().mapToLong(KeyShares::samples).sum();
        long records = edges.stream().mapToLong(KeyShares::records).sum();
        Map<Integer, Double> shares = new LinkedHashMap<>();
        for (KeyShares edge : edges) {
            for (KeyShare key : edge.hottest) {
                shares.merge(key.hash(), key.share() * edge.records / Math.max(1, records), Double::sum);
            }
        }
        List<KeyShare> hottest = new ArrayList<>();
        shares.forEach((hash, share) -> hottest.add(new KeyShare(hash, share)));
        hottest.sort(Comparator.comparingDouble(KeyShare::share).reversed());
        return new KeyShares(samples, records, hottest);
    }
}
