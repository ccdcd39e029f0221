// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The user's function and the modules that come with it, as text: they travel with the job.
 *
 * @param modules the one with the function first
 */
record Program(String function, List<Module> modules) implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final String SUFFIX = ".py";

    /** Of the package that runs the function. */
    private static final List<String> OWN = List.of("__init__", "_arrow", "_msgpack", "_rows", "_worker");

    /**
     * A file of Python source.
     *
     * @param name as in {@code import}
     * @param path as messages name it
     */
    record Module(String name, String path, String text) implements Serializable {
        private static final long serialVersionUID = 1L;

        void writeTo(DataOutputStream out) throws IOException {
            for (String each : List.of(name, path, text)) {
                byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }

    static Program of(Path file, String function) {
        return new Program(function, List.of(module(file, "")));
    }

    /** @param more a file, or the folder of a package */
    Program with(Path more) {
        List<Module> all = new ArrayList<>(modules);
        if (Files.isDirectory(more)) {
            all.addAll(inPackage(more));
        } else {
            all.add(module(more, ""));
        }
        return new Program(function, distinct(all));
    }

    /** Python has one module of a name: it would import the last one alone. */
    private static List<Module> distinct(List<Module> all) {
        Map<String, Module> byName = new HashMap<>();
        for (Module each : all) {
            Module other = byName.putIfAbsent(each.name(), each);
            if (other != null && !other.text().equals(each.text())) {
                throw new ConnectorException(other.path() + " and " + each.path() + " are both module '" + each.name()
                        + "' of Python; rename one, or put it into a package");
            }
        }
        return List.copyOf(all);
    }

    private static List<Module> inPackage(Path folder) {
        Path parent = folder.toAbsolutePath().normalize().getParent();
        List<Module> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                Path within = parent == null
                        ? file
                        : parent.relativize(file.toAbsolutePath().normalize()).getParent();
                found.add(module(file, within == null ? "" : within.toString().replace('/', '.') + '.'));
            }
        } catch (IOException e) {
            throw new ConnectorException(folder + " cannot be read: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new ConnectorException(folder + " holds no file *.py");
        }
        return found;
    }

    private static Module module(Path file, String within) {
        String name = String.valueOf(file.getFileName());
        if (!name.endsWith(SUFFIX)) {
            throw new ConnectorException(file + " is not a Python file: its name must end in .py");
        }
        String plain = within + name.substring(0, name.length() - SUFFIX.length());
        String imported =
                plain.endsWith(".__init__") ? plain.substring(0, plain.length() - ".__init__".length()) : plain;
        try {
            return new Module(imported, file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new ConnectorException("there is no file " + file + " with Python source", e);
        } catch (CharacterCodingException e) {
            throw new ConnectorException(file + " is not in UTF-8", e);
        } catch (IOException e) {
            throw new ConnectorException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The file with the function. */
    Module main() {
        return modules.get(0);
    }

    /** For messages: the name of the file without its folders. */
    String file() {
        return String.valueOf(Path.of(main().path()).getFileName());
    }

    /** As the first lines of a process expect it. */
    void writeTo(DataOutputStream out) throws IOException {
        out.writeInt(OWN.size() + modules.size());
        for (String own : OWN) {
            String name = own.equals("__init__") ? "thalweg" : "thalweg." + own;
            new Module(name, "thalweg/" + own + SUFFIX, resource("thalweg/" + own + SUFFIX)).writeTo(out);
        }
        for (Module module : modules) {
            module.writeTo(out);
        }
    }

    /** What the interpreter is given to begin with. */
    static String boot() {
        return resource("boot.py");
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Program.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
