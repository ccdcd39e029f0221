// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/**
 * Makes record i, for any i from 0 on, from i and the size alone: any thread may make any records in any order, on any
 * machine. Dimensions are made once for a profile and shared by its records.
 */
public final class TelecomGenerator {
    private final TelecomSize size;
    private final TelecomProfiles profiles;

    public TelecomGenerator(TelecomSize size) {
        this.size = size;
        this.profiles = TelecomProfiles.of(size);
    }

    public Probe probe(long i) {
        Profile profile = profile(i);
        Dimensions dimensions = profile.dimensions;
        return new Probe(
                size.timeMs(i),
                dimensions.cell(),
                dimensions.device(),
                dimensions.subscriber(),
                dimensions.service(),
                dimensions.session(),
                measures(profile, i));
    }

    Profile profile(long i) {
        return profiles.profile(profiles.profileOf(i));
    }

    Probe.Measures measures(Profile profile, long i) {
        long cycle = size.cycleOf(i);
        return profile.measures(cycle, (int) cycle & (size.cycles() - 1));
    }

    /** The line of record {@code i}, without an end of line. */
    byte[] line(long i, LineEncoder encoder) {
        Profile profile = profile(i);
        return encoder.encode(size.timeMs(i), profile, measures(profile, i));
    }
}
