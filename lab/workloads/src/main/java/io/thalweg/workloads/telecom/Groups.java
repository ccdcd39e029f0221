// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The groups that chosen dimensions make of the profiles. Keeps a few numbers a profile and no keys: those it makes anew
 * from the first profile of a group, so that a million groups of 62 dimensions fit.
 */
final class Groups {
    static final int NONE = -1;

    private final TelecomProfiles profiles;
    private final TelecomDimension[] chosen;

    /** Open addressing: a group's number plus one, or 0 for a free slot. */
    private final int[] slots;

    private final int[] hashes;
    private final int[] members;
    private final int[] starts;
    private int count;

    Groups(TelecomProfiles profiles, List<TelecomDimension> dimensions) {
        this.profiles = profiles;
        chosen = dimensions.toArray(new TelecomDimension[0]);
        int size = profiles.size().profiles();
        slots = new int[Integer.highestOneBit(size) * 4];
        int[] hashOfGroup = new int[size];
        int[] firstOfGroup = new int[size];
        int[] groupOf = new int[size];
        for (int g = 0; g < size; g++) {
            groupOf[g] = place(g, hashOfGroup, firstOfGroup);
        }
        hashes = Arrays.copyOf(hashOfGroup, count);
        starts = new int[count + 1];
        members = sortByGroup(groupOf);
    }

    private int place(int profile, int[] hashOfGroup, int[] firstOfGroup) {
        List<@Nullable String> key = keyOf(profile);
        int hash = key.hashCode();
        int slot = slotOf(hash);
        while (slots[slot] != 0) {
            int group = slots[slot] - 1;
            if (hashOfGroup[group] == hash && keyOf(firstOfGroup[group]).equals(key)) {
                return group;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        hashOfGroup[count] = hash;
        firstOfGroup[count] = profile;
        slots[slot] = count + 1;
        return count++;
    }

    /** Profiles in the order of their groups; {@link #starts} says where each group begins. */
    private int[] sortByGroup(int[] groupOf) {
        for (int group : groupOf) {
            starts[group + 1]++;
        }
        for (int group = 0; group < count; group++) {
            starts[group + 1] += starts[group];
        }
        int[] next = Arrays.copyOf(starts, count);
        int[] sorted = new int[groupOf.length];
        for (int g = 0; g < groupOf.length; g++) {
            sorted[next[groupOf[g]]++] = g;
        }
        return sorted;
    }

    private int slotOf(int hash) {
        int mixed = hash * 0x9E3779B9;
        return (mixed ^ (mixed >>> 15)) & (slots.length - 1);
    }

    private List<@Nullable String> keyOf(int profile) {
        return DimensionKey.of(profiles.dimensions(profile), chosen).values();
    }

    List<TelecomDimension> dimensions() {
        return List.of(chosen);
    }

    int count() {
        return count;
    }

    /** The group with these values of the dimensions, or NONE. */
    int find(List<@Nullable String> key) {
        int hash = key.hashCode();
        int slot = slotOf(hash);
        while (slots[slot] != 0) {
            int group = slots[slot] - 1;
            if (hashes[group] == hash && keyOfGroup(group).equals(key)) {
                return group;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        return NONE;
    }

    List<@Nullable String> keyOfGroup(int group) {
        return keyOf(members[starts[group]]);
    }

    SumsOfProfiles sums(int group, Occurrences occurrences) {
        SumsOfProfiles sums = new SumsOfProfiles();
        for (int at = starts[group]; at < starts[group + 1]; at++) {
            sums.add(members[at], profiles.bases(members[at]), occurrences);
        }
        return sums;
    }

    boolean occurs(int group, Occurrences occurrences) {
        for (int at = starts[group]; at < starts[group + 1]; at++) {
            if (occurrences.records(members[at]) > 0) {
                return true;
            }
        }
        return false;
    }
}
