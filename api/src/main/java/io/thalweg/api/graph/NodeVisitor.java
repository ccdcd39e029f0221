// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * A method for each kind of operator. None has a default, so a runner that lacks one does not compile. Called while a
 * job is built, not for each record.
 *
 * @param <R> what is made of a node
 */
public interface NodeVisitor<R> {
    /** A source. */
    R source(NodeSpec.Source spec);

    /** One record to one other. */
    R map(NodeSpec.Map spec);

    /** Keeps some records. */
    R filter(NodeSpec.Filter spec);

    /** One record to any number. */
    R flatMap(NodeSpec.FlatMap spec);

    /** A side effect for each record. */
    R peek(NodeSpec.Peek spec);

    /** Several streams of one type. */
    R union(NodeSpec.Union spec);

    /** Event times and watermarks. */
    R eventTime(NodeSpec.EventTime spec);

    /** A user's operator without keys. */
    R process(NodeSpec.Process spec);

    /** A user's operator with keyed state and timers. */
    R keyedProcess(NodeSpec.KeyedProcess spec);

    /** A user's operator on two streams. */
    R connect(NodeSpec.Connect spec);

    /** A user's operator on two keyed streams. */
    R keyedConnect(NodeSpec.KeyedConnect spec);

    /** A user's operator with a broadcast stream. */
    R broadcast(NodeSpec.Broadcast spec);

    /** A user's keyed operator with a broadcast stream. */
    R keyedBroadcast(NodeSpec.KeyedBroadcast spec);

    /** A join by an interval of event time. */
    R intervalJoin(IntervalJoin spec);

    /** A join or co-group by windows. */
    R windowJoin(WindowJoin spec);

    /** Aggregation in windows. */
    R window(NodeSpec.Window spec);

    /** A running aggregate. */
    R running(NodeSpec.Running spec);

    /** The first record of each key. */
    R distinct(NodeSpec.Distinct spec);

    /** Asynchronous lookups. */
    R asyncMap(AsyncMap spec);

    /** Asynchronous requests with keyed state. */
    R keyedAsyncMap(KeyedAsyncMap spec);

    /** A limited number of records. */
    R limit(Limit spec);

    /** A join with a table. */
    R tableJoin(NodeSpec.TableJoin spec);

    /** A sink. */
    R sink(NodeSpec.Sink spec);
}
