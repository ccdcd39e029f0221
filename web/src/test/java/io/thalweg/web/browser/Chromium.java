// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.browser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, told what to do over its DevTools protocol. */
final class Chromium implements AutoCloseable {
    private static final String ANNOUNCED = "DevTools listening on ";
    private static final long LIMIT_S = 240;

    private final Process process;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final WebSocket socket;
    private String session = "";

    /** Where it is: as the environment variable CHROMIUM says, or on the path. */
    static Optional<Path> find() {
        String named = System.getenv("CHROMIUM");
        if (named != null) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Chromium(Path program, Path profile) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--no-first-run",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--hide-scrollbars",
                "about:blank"));
        if (System.getProperty("user.name").equals("root")) {
            command.add(1, "--no-sandbox"); // its sandbox does not start as root; it shows nothing but this test's page
        }
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .start();
        boolean ready = false;
        try {
            socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(URI.create(announced()), new Answers())
                    .orTimeout(LIMIT_S, TimeUnit.SECONDS)
                    .join();
            String target = field(tell("Target.createTarget", "{\"url\":\"about:blank\"}"), "targetId");
            session = field(
                    tell("Target.attachToTarget", "{\"flatten\":true,\"targetId\":\"" + target + "\"}"), "sessionId");
            for (String domain : List.of("Page", "Runtime", "Log")) {
                tell(domain + ".enable", "{}");
            }
            ready = true;
        } finally {
            if (!ready) {
                process.destroyForcibly();
            }
        }
    }

    /** Where it listens, which it says among other things. */
    private String announced() {
        CompletableFuture<String> announced = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                            .lines()
                            .filter(line -> line.startsWith(ANNOUNCED))
                            .forEach(line -> announced.complete(line.substring(ANNOUNCED.length())));
                    announced.completeExceptionally(new IOException("the browser ended before it was told anything"));
                },
                "chromium-output");
        reader.setDaemon(true);
        reader.start();
        return announced.orTimeout(LIMIT_S, TimeUnit.SECONDS).join();
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                received(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void received(String message) {
        if (message.startsWith("{\"id\":")) {
            String number = message.substring(6).replaceFirst("(?s)[^0-9].*", "");
            CompletableFuture<String> waiting = asked.remove(number);
            if (waiting != null) {
                waiting.complete(message);
            }
        } else if (message.contains("\"Runtime.exceptionThrown\"")
                || message.contains("\"Page.javascriptDialogOpening\"")
                || (message.contains("\"Log.entryAdded\"") && message.contains("\"level\":\"error\""))) {
            complaints.add(message);
        }
    }

    private String tell(String method, String parameters) {
        String number = Integer.toString(numbers.incrementAndGet());
        CompletableFuture<String> answer = new CompletableFuture<>();
        asked.put(number, answer);
        socket.sendText(
                        "{\"id\":" + number + ",\"method\":\"" + method + "\",\"params\":" + parameters
                                + (session.isEmpty() ? "" : ",\"sessionId\":\"" + session + "\"") + "}",
                        true)
                .join();
        String text = answer.orTimeout(LIMIT_S, TimeUnit.SECONDS).join();
        if (text.contains("\"error\":{\"code\"") || text.contains("\"exceptionDetails\":")) {
            throw new AssertionError(method + " " + parameters + ": " + text);
        }
        return text;
    }

    /** The first field of that name, at any depth. */
    private static String field(String json, String name) {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals(name)) {
                    parser.nextToken();
                    return parser.getText();
                }
            }
            throw new AssertionError("no " + name + " in " + json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void open(String address) {
        complaints.clear();
        tell("Page.navigate", "{\"url\":\"" + address + "\"}");
    }

    /** The value of an expression, as text. */
    String value(String expression) {
        String quoted = new String(JsonStringEncoder.getInstance().quoteAsString("String(" + expression + ")"));
        return field(tell("Runtime.evaluate", "{\"returnByValue\":true,\"expression\":\"" + quoted + "\"}"), "value");
    }

    /** Waits until an expression is true; the page is asked again and again, and waits between itself. */
    void await(String condition) {
        String script = "new Promise((done, failed) => { const end = Date.now() + " + LIMIT_S * 900
                + "; const look = () => { let is = false; try { is = Boolean(" + condition
                + "); } catch (e) { is = false; }"
                + " if (is) { done(1); } else if (Date.now() > end) { failed(document.body.innerText); }"
                + " else { setTimeout(look, 20); } }; look(); })";
        String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(script));
        tell("Runtime.evaluate", "{\"awaitPromise\":true,\"expression\":\"" + quoted + "\"}");
    }

    /** Presses a key, such as {@code Enter}, where the page has its focus. */
    void press(String key) {
        String text = key.equals("Enter") ? ",\"text\":\"\\r\"" : key.length() == 1 ? ",\"text\":\"" + key + "\"" : "";
        int code = switch (key) {
            case "Tab" -> 9;
            case "Enter" -> 13;
            case "Escape" -> 27;
            case " " -> 32;
            default -> 0;
        };
        String what = "\"key\":\"" + key + "\",\"code\":\"" + key + "\",\"windowsVirtualKeyCode\":" + code;
        tell("Input.dispatchKeyEvent", "{\"type\":\"keyDown\"," + what + text + "}");
        tell("Input.dispatchKeyEvent", "{\"type\":\"keyUp\"," + what + "}");
    }

    /** The width and height of the window, in pixels. */
    void size(int width, int height) {
        tell(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":" + (width < 600)
                        + "}");
    }

    /** What the system prefers: {@code light} or {@code dark}. */
    void prefer(String scheme) {
        tell(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}]}");
    }

    /** A picture of the whole page, as PNG. */
    byte[] picture() {
        return Base64.getDecoder()
                .decode(field(
                        tell("Page.captureScreenshot", "{\"format\":\"png\",\"captureBeyondViewport\":true}"), "data"));
    }

    /** What went wrong in the page since it was opened: errors of scripts, of the policy, of requests, and dialogs. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** The browser's other processes may outlive the first one for a while, and write into its profile, which is deleted. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> others = process.descendants().toList();
        try { // of its own accord, so that it leaves nothing behind in its profile
            session = "";
            tell("Browser.close", "{}");
        } catch (RuntimeException | AssertionError e) {
            process.destroy();
        }
        socket.abort();
        try {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            others.forEach(ProcessHandle::destroyForcibly);
            others.forEach(each -> each.onExit().join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
