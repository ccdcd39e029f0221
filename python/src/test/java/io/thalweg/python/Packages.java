// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Virtual environments with packages, made when a test first needs them, and kept for all builds of a user in {@code ~/.cache}, or
 * what {@code XDG_CACHE_HOME} names, each under its packages and its Python.
 */
public final class Packages {
    private static final String NUMPY = "numpy==2.4.6";
    private static final List<String> ALL = List.of("pyarrow==26.0.1", NUMPY, "pandas==3.1.1", "msgpack==1.2.4");
    private static final List<String> STREAMPARSE = List.of(
            "streamparse==5.0.1",
            "bcrypt==5.0.0",
            "certifi==2026.10.19.post1",
            "cffi==2.1.1",
            "charset-normalizer==3.5.3",
            "cryptography==50.0.2",
            "cython==3.3.1",
            "dill==0.4.1",
            "fabric39==1.15.3.post2",
            "idna==3.20",
            "ijson==3.6.0",
            "jinja2==3.1.6",
            "markupsafe==3.0.4",
            "multiprocess==0.70.19",
            "paramiko==2.12.0",
            "pathos==0.2.8",
            "ply==3.11",
            "pox==0.3.7",
            "ppft==1.7.8",
            "pycparser==3.12",
            "pynacl==1.6.2",
            "pystorm==3.1.4",
            "requests==2.34.2",
            "ruamel.yaml==0.19.1",
            "simplejson==4.3.0",
            "six==1.17.0",
            "texttable==1.7.2",
            "thriftpy2==0.7.1",
            "urllib3==2.8.0");
    private static final long MOST_MINUTES = 5;

    private Packages() {}

    /**
     * With pyarrow, numpy, pandas and msgpack. Leaves the test out if it cannot be made: without python3, its module venv, or a registry of
     * packages.
     */
    public static Path virtualenv() {
        return made("venv", ALL);
    }

    /** With numpy alone; as {@link #virtualenv}. */
    public static Path withNumpy() {
        return made("venv-numpy", List.of(NUMPY));
    }

    /** With pystorm, whose components streamparse runs; as {@link #virtualenv}. */
    public static Path withPystorm() {
        return made("venv-pystorm", List.of("pystorm==3.1.4", "simplejson==4.3.0", "six==1.17.0"));
    }

    /** With streamparse, and all that it needs; as {@link #virtualenv}. */
    public static Path withStreamparse() {
        return made("venv-streamparse", STREAMPARSE);
    }

    /** With pytest, and what builds the package; as {@link #virtualenv}. */
    static Path withPytest() {
        return made(
                "venv-pytest",
                List.of(
                        "pytest==9.2.0",
                        "iniconfig==2.3.1",
                        "packaging==26.4",
                        "pluggy==1.7.0",
                        "pygments==2.21.0",
                        "setuptools==84.2.1",
                        "wheel==0.48.0"));
    }

    private static synchronized Path made(String name, List<String> pinned) {
        String wanted = String.join(" ", pinned);
        try {
            Path place = Files.createDirectories(cache().resolve("thalweg/test-packages"));
            String python = said(place, List.of("python3", "-c", "import sys; print(sys.executable, sys.version)"));
            String id = name + "-" + Integer.toHexString((python + wanted).hashCode());
            Path folder = place.resolve(id);
            Path made = folder.resolve("made");
            try (FileChannel file = FileChannel.open(
                            place.resolve(id + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                if (lock.isValid() && Files.exists(made) && Files.exists(interpreter(folder))) {
                    return folder;
                }
                said(place, List.of("python3", "-m", "venv", "--clear", folder.toString()));
                List<String> install = new ArrayList<>(List.of(
                        interpreter(folder).toString(), "-m", "pip", "install", "-q", "--disable-pip-version-check"));
                install.add("--only-binary=:all:");
                install.addAll(pinned);
                said(place, install);
                Files.writeString(made, wanted);
                return folder;
            }
        } catch (IOException e) {
            return abort("no virtual environment with " + wanted + " can be made, so its tests are left out: "
                    + e.getMessage());
        }
    }

    private static Path cache() {
        String named = System.getenv("XDG_CACHE_HOME");
        return named == null || named.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(named).toAbsolutePath();
    }

    public static Path interpreter(Path virtualenv) {
        return virtualenv.resolve("bin/python");
    }

    /** What a command says that ends well. */
    private static String said(Path place, List<String> command) throws IOException {
        Path log = Files.createTempFile(place, "said", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(command + " takes too long; see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(command + " failed; see " + log);
        }
        String said = Files.readString(log);
        Files.delete(log);
        return said;
    }
}
