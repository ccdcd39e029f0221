// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.web.graph.GraphLayout.Link;
import io.thalweg.web.graph.GraphLayout.Point;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class GraphLayoutTest {
    @Test
    void shouldPlaceAChainInALine() {
        GraphLayout layout = GraphLayout.of(3, List.of(new Link(0, 1), new Link(1, 2)));
        assertThat(layout.layers()).isEqualTo(3);
        assertThat(layout.breadth()).isEqualTo(1);
        assertThat(layout.nodes()).containsExactly(new Point(0, 0), new Point(1, 0), new Point(2, 0));
    }

    @Test
    void shouldPutASourceInTheMiddleOfWhatItFeeds() {
        GraphLayout layout = GraphLayout.of(4, List.of(new Link(0, 1), new Link(0, 2), new Link(0, 3)));
        assertThat(layout.nodes().get(0)).isEqualTo(new Point(0, 1));
        assertThat(layout.breadth()).isEqualTo(3);
    }

    @Test
    void shouldLeaveRoomForAnEdgeThatPassesALayer() {
        GraphLayout layout = GraphLayout.of(3, List.of(new Link(0, 1), new Link(1, 2), new Link(0, 2)));
        List<Point> passing = layout.edges().get(2);
        assertThat(passing).hasSize(3);
        assertThat(passing.get(1).layer()).isEqualTo(1);
        assertThat(Math.abs(passing.get(1).place() - layout.nodes().get(1).place()))
                .isGreaterThanOrEqualTo(1);
    }

    @Test
    void shouldUncrossWhatNeedNotCross() {
        GraphLayout layout = GraphLayout.of(4, List.of(new Link(0, 3), new Link(1, 2)));
        double first = layout.nodes().get(0).place() - layout.nodes().get(1).place();
        double second = layout.nodes().get(3).place() - layout.nodes().get(2).place();
        assertThat(first * second).isPositive();
    }

    @Test
    void shouldPlaceNothing() {
        assertThat(GraphLayout.of(0, List.of())).isEqualTo(new GraphLayout(0, 0, List.of(), List.of()));
    }

    @Test
    void shouldDrawACircleBackwards() {
        GraphLayout layout = GraphLayout.of(3, List.of(new Link(0, 1), new Link(1, 2), new Link(2, 1), new Link(2, 2)));
        assertThat(layout.nodes()).extracting(Point::layer).containsExactly(0, 1, 2);
        assertThat(layout.edges().get(2))
                .containsExactly(layout.nodes().get(2), layout.nodes().get(1));
    }

    /** Deeper than calls can be, and with more pairs of edges than can be compared one by one. */
    @Test
    void shouldPlaceManyNodes() {
        int nodes = 50_000;
        List<Link> chain = new ArrayList<>();
        for (int node = 1; node < nodes; node++) {
            chain.add(new Link(node - 1, node));
        }
        chain.add(new Link(nodes - 1, 0));
        GraphLayout deep = GraphLayout.of(nodes, chain);
        assertThat(deep.layers()).isEqualTo(nodes);
        assertThat(deep.nodes().get(nodes - 1)).isEqualTo(new Point(nodes - 1, 0));

        List<Link> crossed = new ArrayList<>();
        for (int node = 0; node < nodes / 2; node++) {
            crossed.add(new Link(node, nodes - 1 - node));
        }
        GraphLayout wide = GraphLayout.of(nodes, crossed);
        assertThat(wide.edges())
                .as("all uncrossed")
                .allSatisfy(points -> assertThat(points.get(0).place())
                        .isEqualTo(points.get(1).place()));
    }

    @RepeatedTest(50)
    void shouldKeepDistanceAndDirection(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int nodes = 1 + random.nextInt(20);
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < 2 * nodes && nodes > 1; i++) {
            int from = random.nextInt(nodes - 1);
            links.add(new Link(from, from + 1 + random.nextInt(nodes - 1 - from)));
        }
        GraphLayout layout = GraphLayout.of(nodes, links);

        assertThat(layout).isEqualTo(GraphLayout.of(nodes, links));
        Map<Integer, List<Double>> places = new HashMap<>();
        for (Point node : layout.nodes()) {
            assertThat(node.place()).isBetween(0.0, layout.breadth() - 1 + 1e-9);
            for (double other : places.computeIfAbsent(node.layer(), layer -> new ArrayList<>())) {
                assertThat(Math.abs(other - node.place())).isGreaterThanOrEqualTo(1 - 1e-9);
            }
            places.get(node.layer()).add(node.place());
        }
        for (int i = 0; i < links.size(); i++) {
            List<Point> points = layout.edges().get(i);
            assertThat(points.get(0)).isEqualTo(layout.nodes().get(links.get(i).from()));
            assertThat(points.get(points.size() - 1))
                    .isEqualTo(layout.nodes().get(links.get(i).to()));
            for (int k = 1; k < points.size(); k++) {
                assertThat(points.get(k).layer()).isEqualTo(points.get(k - 1).layer() + 1);
            }
        }
    }
}
