// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * A case for each kind of operator. None has a default, so that whoever runs or describes graphs does not compile
 * without one. Called while a job is built, not for each record.
 *
 * @param <R> what is made of a node
 */
public interface NodeVisitor<R> {
    R source(NodeSpec.Source spec);

    R map(NodeSpec.Map spec);

    R filter(NodeSpec.Filter spec);

    R flatMap(NodeSpec.FlatMap spec);

    R peek(NodeSpec.Peek spec);

    R union(NodeSpec.Union spec);

    R eventTime(NodeSpec.EventTime spec);

    R process(NodeSpec.Process spec);

    R keyedProcess(NodeSpec.KeyedProcess spec);

    R connect(NodeSpec.Connect spec);

    R keyedConnect(NodeSpec.KeyedConnect spec);

    R broadcast(NodeSpec.Broadcast spec);

    R keyedBroadcast(NodeSpec.KeyedBroadcast spec);

    R intervalJoin(IntervalJoin spec);

    R windowJoin(WindowJoin spec);

    R window(NodeSpec.Window spec);

    R running(NodeSpec.Running spec);

    R distinct(NodeSpec.Distinct spec);

    R asyncMap(AsyncMap spec);

    R limit(Limit spec);

    R tableJoin(NodeSpec.TableJoin spec);

    R sink(NodeSpec.Sink spec);
}
