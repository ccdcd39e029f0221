// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.files.Json;
import io.thalweg.testkit.contract.CheckpointedSinkContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Killed at any moment, with a service that deduplicates: each record is there once. Every tenth request gets its answer only when it is
 * tried again, though the service has done what it asked for.
 */
final class HttpCheckpointedSinkTest extends CheckpointedSinkContract<HttpCheckpointedSinkTest.Place> {
    record Place(long id, String name) {}

    private static final List<Place> PLACES = List.of(
            new Place(1, ""),
            new Place(2, "a, \"b\""),
            new Place(3, "🙂\n"),
            new Place(4, "c"),
            new Place(5, "c"),
            new Place(6, "c"),
            new Place(7, "c"),
            new Place(8, "c"),
            new Place(9, "c"),
            new Place(10, "c"),
            new Place(11, "c"),
            new Place(12, "c"));

    /** One for each folder. */
    private final Map<String, TestService.Store> stores = new HashMap<>();

    private TestService service;
    private int requests;

    @BeforeEach
    void startService() throws Exception {
        service = new TestService(this::answer);
    }

    @AfterEach
    void stopService() {
        service.close();
    }

    private synchronized TestService.Reply answer(TestService.Request request) {
        TestService.Reply reply = store(request.path()).answer(request);
        return requests++ % 10 == 9 ? TestService.cutShort() : reply;
    }

    private synchronized TestService.Store store(String path) {
        return stores.computeIfAbsent(path, each -> new TestService.Store(true, id -> false));
    }

    private static String path(Path folder) {
        return "/" + Integer.toHexString(folder.hashCode());
    }

    /** Tries again at once: a tenth of all requests would wait. */
    private record Hasty(HttpSink<Place> sink) implements Sink<Place> {
        @Override
        public String name() {
            return sink.name();
        }

        @Override
        public SinkWriter<Place> open(SinkContext context) {
            return sink.open(context, ms -> {}, new Random(0));
        }
    }

    @Override
    protected Sink<Place> sinkIn(Path folder) {
        return new Hasty(Http.post(service.url() + path(folder), Json.<Place>encoder())
                .batch(2)
                .deduplicated());
    }

    @Override
    protected List<Place> records() {
        return PLACES;
    }

    @Override
    protected List<Place> writtenIn(Path folder) {
        List<Place> places = new ArrayList<>();
        for (long id : store(path(folder)).ids()) {
            places.add(PLACES.get((int) id - 1));
        }
        return places;
    }
}
