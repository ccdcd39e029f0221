// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The profiles of one size, and which slots of a cycle are whose. Any thread may use it. */
final class TelecomProfiles {
    /** So many profiles are kept once made; where there are more, as in the worst case, each is made again. */
    private static final int MOST_KEPT = 1 << 16;

    private static final Map<TelecomSize, WeakReference<TelecomProfiles>> SHARED = new ConcurrentHashMap<>();

    private final TelecomSize size;
    private final int[] ofSlot;
    private final int[] weights;
    private final DimensionRules rules;
    private final @Nullable Profile[] kept;

    private TelecomProfiles(TelecomSize size) {
        this.size = size;
        weights = weights(size);
        ofSlot = table(weights, size.slots());
        rules = new DimensionRules(size.profiles());
        kept = new Profile[size.profiles() <= MOST_KEPT ? size.profiles() : 0];
    }

    /** The same object for all that use a size at the same time. */
    static TelecomProfiles of(TelecomSize size) {
        WeakReference<TelecomProfiles> reference = SHARED.get(size);
        TelecomProfiles profiles = reference == null ? null : reference.get();
        if (profiles == null) {
            profiles = new TelecomProfiles(size);
            SHARED.put(size, new WeakReference<>(profiles));
        }
        return profiles;
    }

    /** Slots of a cycle that are profile g's: one at least, and of the rest a share that falls as 1 / (g + 1). */
    private static int[] weights(TelecomSize size) {
        int profiles = size.profiles();
        long shares = 0;
        for (int g = 0; g < profiles; g++) {
            shares += share(g);
        }
        int[] weights = new int[profiles];
        int left = size.slots();
        for (int g = 0; g < profiles; g++) {
            weights[g] = 1 + (int) ((size.slots() - profiles) * share(g) / shares);
            left -= weights[g];
        }
        weights[0] += left;
        return weights;
    }

    private static long share(int profile) {
        return (1L << 32) / (profile + 1);
    }

    private static int[] table(int[] weights, int slots) {
        int[] table = new int[slots];
        int at = 0;
        for (int g = 0; g < weights.length; g++) {
            for (int n = 0; n < weights[g]; n++) {
                table[at++] = g;
            }
        }
        return table;
    }

    TelecomSize size() {
        return size;
    }

    /** How often a profile comes in each cycle. */
    int weight(int profile) {
        return weights[profile];
    }

    /**
     * The profile of record {@code i}. Its slot goes through a permutation that is another one in each cycle, so that
     * neighbours are unlike each other and yet each cycle has every slot exactly once.
     */
    int profileOf(long i) {
        long cycle = size.cycleOf(i);
        long q = cycle & (size.cycles() - 1);
        long slot = 1_664_525L * i + 7 * q + 13 * size.windowOf(i); // what is above the slot in i vanishes below
        return ofSlot[(int) (slot & (size.slots() - 1))];
    }

    Profile profile(int number) {
        if (kept.length == 0) {
            return new Profile(number, rules.dimensions(number));
        }
        Profile profile = kept[number];
        if (profile == null) {
            profile = new Profile(number, rules.dimensions(number));
            kept[number] = profile; // the profile is immutable: whoever sees it sees all of it
        }
        return profile;
    }

    /** What each measure of the profile begins with: see {@link Measure}. */
    long[] bases(int number) {
        return kept.length == 0 ? Measure.bases(number) : profile(number).bases;
    }

    Dimensions dimensions(int number) {
        return kept.length == 0 ? rules.dimensions(number) : profile(number).dimensions;
    }
}
