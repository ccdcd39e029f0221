// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Places the nodes of a directed graph in layers, so that edges lead from lower to higher ones and cross little. Positions are abstract:
 * the layer, and the place within it, of which 1 is the distance of two neighbours. Who draws decides whether layers are columns or rows.
 *
 * @param layers how many there are
 * @param breadth of the widest layer, in places
 * @param nodes where each node stands, by its number
 * @param edges the points that each edge passes, both ends included
 */
public record GraphLayout(int layers, double breadth, List<Point> nodes, List<List<Point>> edges) {
    private static final int SWEEPS = 12;

    public GraphLayout {
        nodes = List.copyOf(nodes);
        edges = edges.stream().map(List::copyOf).toList();
    }

    /**
     * A place.
     *
     * @param layer from 0
     * @param place within the layer, from 0
     */
    public record Point(int layer, double place) {}

    /**
     * An edge, by the numbers of its nodes.
     *
     * @param from where it begins
     * @param to where it ends
     */
    public record Link(int from, int to) {}

    /**
     * Places the nodes 0 to {@code nodes - 1}. Edges that close a circle are drawn backwards and ignored otherwise.
     *
     * @throws IndexOutOfBoundsException if an edge names a node that there is not
     */
    public static GraphLayout of(int nodes, List<Link> links) {
        return new Placing(nodes, links).layout();
    }

    /** Not to be seen: the computation, on arrays. Nodes beyond the given ones are where a long edge passes a layer. */
    private static final class Placing {
        private final int given;
        private final int[] layerOfNode;
        private final List<Integer> layerOf = new ArrayList<>();
        private final List<List<Integer>> layers = new ArrayList<>();
        private final List<List<Integer>> before = new ArrayList<>();
        private final List<List<Integer>> after = new ArrayList<>();
        private final List<List<Integer>> paths = new ArrayList<>();
        private double[] place = {};

        Placing(int nodes, List<Link> links) {
            given = nodes;
            layerOfNode = longestPaths(nodes, links);
            for (int node = 0; node < nodes; node++) {
                add(layerOfNode[node]);
            }
            for (Link link : links) {
                paths.add(path(link));
            }
        }

        /** The layer of each node: behind all that lead to it. */
        private static int[] longestPaths(int nodes, List<Link> links) {
            int[] layer = new int[nodes];
            boolean[] ignored = circles(nodes, links);
            for (int round = 0; round < nodes; round++) {
                boolean moved = false;
                for (int i = 0; i < links.size(); i++) {
                    Link link = links.get(i);
                    if (!ignored[i] && layer[link.to()] <= layer[link.from()]) {
                        layer[link.to()] = layer[link.from()] + 1;
                        moved = true;
                    }
                }
                if (!moved) {
                    break;
                }
            }
            return layer;
        }

        /** The links that lead back to a node from which they can be reached. */
        private static boolean[] circles(int nodes, List<Link> links) {
            boolean[] back = new boolean[links.size()];
            boolean[] done = new boolean[nodes];
            for (int node = 0; node < nodes; node++) {
                visit(node, links, back, done, new boolean[nodes]);
            }
            return back;
        }

        private static void visit(int node, List<Link> links, boolean[] back, boolean[] done, boolean[] open) {
            if (done[node]) {
                return;
            }
            open[node] = true;
            for (int i = 0; i < links.size(); i++) {
                Link link = links.get(i);
                if (link.from() == node) {
                    if (open[link.to()]) {
                        back[i] = true;
                    } else {
                        visit(link.to(), links, back, done, open);
                    }
                }
            }
            open[node] = false;
            done[node] = true;
        }

        private int add(int layer) {
            int number = layerOf.size();
            layerOf.add(layer);
            before.add(new ArrayList<>());
            after.add(new ArrayList<>());
            while (layers.size() <= layer) {
                layers.add(new ArrayList<>());
            }
            layers.get(layer).add(number);
            return number;
        }

        private List<Integer> path(Link link) {
            List<Integer> path = new ArrayList<>();
            path.add(link.from());
            int from = layerOfNode[link.from()];
            int to = layerOfNode[link.to()];
            for (int layer = from + 1; layer < to; layer++) {
                path.add(add(layer));
            }
            path.add(link.to());
            if (from < to) {
                for (int i = 1; i < path.size(); i++) {
                    after.get(path.get(i - 1)).add(path.get(i));
                    before.get(path.get(i)).add(path.get(i - 1));
                }
            }
            return path;
        }

        GraphLayout layout() {
            place = new double[layerOf.size()];
            layers.forEach(this::number);
            order();
            straighten();
            double breadth = 0;
            for (double each : place) {
                breadth = Math.max(breadth, each + 1);
            }
            return new GraphLayout(
                    layers.size(),
                    breadth,
                    IntStream.range(0, given).mapToObj(this::point).toList(),
                    paths.stream()
                            .map(path -> path.stream().map(this::point).toList())
                            .toList());
        }

        private Point point(int node) {
            return new Point(layerOf.get(node), place[node]);
        }

        private void number(List<Integer> layer) {
            for (int i = 0; i < layer.size(); i++) {
                place[layer.get(i)] = i;
            }
        }

        /** Orders each layer by where the neighbours stand, to and fro, and keeps the order with the fewest crossings. */
        private void order() {
            long fewest = crossings();
            double[] best = place.clone();
            for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
                boolean down = sweep % 2 == 0;
                for (int i = 0; i < layers.size(); i++) {
                    List<Integer> layer = layers.get(down ? i : layers.size() - 1 - i);
                    List<List<Integer>> neighbours = down ? before : after;
                    layer.sort(Comparator.comparingDouble(node -> mean(neighbours.get(node), place[node])));
                    number(layer);
                }
                long now = crossings();
                if (now < fewest) {
                    fewest = now;
                    best = place.clone();
                }
            }
            place = best;
            for (List<Integer> layer : layers) {
                layer.sort(Comparator.comparingDouble(node -> place[node]));
            }
        }

        private double mean(List<Integer> nodes, double otherwise) {
            return nodes.stream().mapToDouble(node -> place[node]).average().orElse(otherwise);
        }

        private long crossings() {
            long count = 0;
            for (List<Integer> layer : layers) {
                List<double[]> edges = new ArrayList<>();
                for (int node : layer) {
                    for (int next : after.get(node)) {
                        edges.add(new double[] {place[node], place[next]});
                    }
                }
                for (int i = 0; i < edges.size(); i++) {
                    for (int j = 0; j < i; j++) {
                        double from = edges.get(i)[0] - edges.get(j)[0];
                        double to = edges.get(i)[1] - edges.get(j)[1];
                        count += from * to < 0 ? 1 : 0;
                    }
                }
            }
            return count;
        }

        /** Moves nodes towards their neighbours, without changing the order. */
        private void straighten() {
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                boolean down = sweep % 2 == 0;
                for (int i = 0; i < layers.size(); i++) {
                    List<Integer> layer = layers.get(down ? i : layers.size() - 1 - i);
                    move(layer, down ? before : after);
                }
            }
            double least = Arrays.stream(place).min().orElse(0);
            for (int node = 0; node < place.length; node++) {
                place[node] -= least;
            }
        }

        /** The mean of two placings: each node as wanted, but behind the one before it, or before the one behind it. */
        private void move(List<Integer> layer, List<List<Integer>> neighbours) {
            int size = layer.size();
            double[] wanted = new double[size];
            for (int i = 0; i < size; i++) {
                wanted[i] = mean(neighbours.get(layer.get(i)), place[layer.get(i)]);
            }
            double[] forth = wanted.clone();
            double[] back = wanted.clone();
            for (int i = 1; i < size; i++) {
                forth[i] = Math.max(forth[i], forth[i - 1] + 1);
                back[size - 1 - i] = Math.min(back[size - 1 - i], back[size - i] - 1);
            }
            for (int i = 0; i < size; i++) {
                place[layer.get(i)] = (forth[i] + back[i]) / 2;
            }
        }
    }
}
