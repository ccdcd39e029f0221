// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/**
 * Says of which tuples the time is taken: of about as many as {@code topology.stats.sample.rate} says, at random distances,
 * since reading the clock costs as much as handing a tuple over. One thread at a time.
 */
final class Sampler {
    private final double rate;
    private int left;

    Sampler(Map<String, Object> conf) {
        double asked = ObjectReader.getDouble(conf.get(Config.TOPOLOGY_STATS_SAMPLE_RATE), 1.0);
        rate = asked > 0 && asked < 1 ? asked : 1;
    }

    /** The part that is taken. */
    double rate() {
        return rate;
    }

    boolean takes() {
        if (--left >= 0) {
            return false;
        }
        // From none to twice 1 / rate less two are left out, each number as often: so 1 / rate is the mean distance.
        left = rate == 1 ? 0 : ThreadLocalRandom.current().nextInt((int) Math.round(2 / rate) - 1);
        return true;
    }
}
