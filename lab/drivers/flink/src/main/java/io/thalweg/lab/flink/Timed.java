// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

/** A record without payload that has a due time; a POJO by Flink's rules. */
public final class Timed {
    public long number;
    public long dueNs;

    public Timed() {}

    Timed(long number, long dueNs) {
        this.number = number;
        this.dueNs = dueNs;
    }
}
