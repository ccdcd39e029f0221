// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A page in a real browser. {@code -Dthalweg.pictures=FOLDER} keeps pictures of it, to be looked at. */
abstract class PageInBrowser {
    static @Nullable Chromium browser;

    @TempDir
    private static Path profile;

    @Nullable WebServer server;

    @BeforeAll
    static void start() throws IOException {
        Optional<Path> program = Chromium.find();
        assumeTrue(
                program.isPresent(),
                "the page is not tested in a browser: there is no chromium on the path, and CHROMIUM names none");
        browser = new Chromium(program.get(), profile);
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    /** Opens what is served, and waits until it is shown. */
    final void show(Consumer<WebServer> served, String shown) throws IOException {
        browser.size(1_300, 900);
        browser.prefer("light");
        server = WebServer.open(ListenAddress.local("--web", 0), null);
        served.accept(server);
        browser.open(server.address("/"));
        browser.await(shown);
    }

    @AfterEach
    final void close() {
        browser.open("about:blank");
        if (server != null) {
            server.close();
        }
    }

    static void keep(String name) throws IOException {
        String folder = System.getProperty("thalweg.pictures");
        if (folder != null) {
            Files.write(Files.createDirectories(Path.of(folder)).resolve(name + ".png"), browser.picture());
        }
    }

    static String text(String selector) {
        return browser.value("document.querySelector('" + selector + "').textContent");
    }
}
