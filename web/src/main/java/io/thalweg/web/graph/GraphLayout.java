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
            List<List<Integer>> outOf = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                outOf.add(new ArrayList<>());
            }
            for (int i = 0; i < links.size(); i++) {
                outOf.get(links.get(i).from()).add(i);
            }
            boolean[] back = new boolean[links.size()];
            boolean[] open = new boolean[nodes];
            int[] looked = new int[nodes]; // at so many of its links
            int[] path = new int[nodes];
            for (int first = 0; first < nodes; first++) {
                int depth = 0;
                path[0] = first;
                while (depth >= 0) {
                    int node = path[depth];
                    open[node] = looked[node] < outOf.get(node).size();
                    if (!open[node]) {
                        depth--;
                        continue;
                    }
                    int link = outOf.get(node).get(looked[node]++);
                    int to = links.get(link).to();
                    if (open[to]) {
                        back[link] = true;
                    } else if (looked[to] < outOf.get(to).size()) {
                        path[++depth] = to;
                    }
                }
            }
            return back;
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

        /** Pairs of edges between neighbouring layers whose ends stand the other way round than their beginnings. */
        private long crossings() {
            long count = 0;
            for (int layer = 0; layer + 1 < layers.size(); layer++) {
                int[] ends = new int[layers.get(layer + 1).size() + 1]; // sums, as Fenwick adds them up
                long before = 0;
                for (int node : layers.get(layer)) { // in their order: the place of each is its number
                    for (int next : after.get(node)) {
                        count += before - endsUpTo(ends, (int) place[next] + 1);
                    }
                    for (int next : after.get(node)) {
                        for (int i = (int) place[next] + 1; i < ends.length; i += i & -i) {
                            ends[i]++;
                        }
                        before++;
                    }
                }
            }
            return count;
        }

        private static long endsUpTo(int[] sums, int last) {
            long ends = 0;
            for (int i = last; i > 0; i -= i & -i) {
                ends += sums[i];
            }
            return ends;
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
