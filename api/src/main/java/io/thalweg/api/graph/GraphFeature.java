// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/** What a graph may ask of a runner, and not every runner can do. */
public enum GraphFeature {
    /** A record names the task that it goes to: {@link Grouping.Direct}. */
    DIRECT_GROUPING("direct grouping", "use partitionBy instead"),

    /** An operator is called at an interval of processing time: {@link io.thalweg.api.operator.TickingOperator}. */
    TICKS("ticks", "use processing-time timers in an operator with keys instead"),

    /** An operator emits from threads of its own: {@link io.thalweg.api.operator.ThreadedOperator}. */
    OWN_THREADS(
            "emission from threads of its own",
            "use async() for requests that are answered, and a live source for records from outside"),

    /** A stream leads back to an operator before: {@link EdgeBuilder#feedback}. */
    FEEDBACK("feedback", "write what is to come back to a topic or a database, and read it from there with a source");

    private final String words;
    private final String instead;

    GraphFeature(String words, String instead) {
        this.words = words;
        this.instead = instead;
    }

    /** For messages: {@code direct grouping}. */
    public String words() {
        return words;
    }

    /** What to do where it is refused, for messages. */
    public String instead() {
        return instead;
    }
}
