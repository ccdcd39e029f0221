// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/** The compiler's view of files: remembers each source it reads as it stood then, and keeps its classes in memory. */
final class SourceFiles extends ForwardingJavaFileManager<JavaFileManager> {
    private final StandardJavaFileManager standard;
    private final SourceFile job;
    private final Map<URI, SourceFile> sources = new LinkedHashMap<>();
    private final Map<String, MemoryClass> classes = new TreeMap<>();

    SourceFiles(StandardJavaFileManager standard, Path job) {
        super(standard);
        this.standard = standard;
        this.job = new SourceFile(job);
        sources.put(this.job.toUri(), this.job);
    }

    JavaFileObject job() {
        return job;
    }

    CompiledJob compiled() {
        List<CompiledJob.Source> read = new ArrayList<>();
        for (SourceFile source : sources.values()) {
            if (source.bytes != null) {
                read.add(new CompiledJob.Source(
                        source.path.toAbsolutePath().normalize().toString(), source.bytes));
            }
        }
        List<CompiledJob.ClassFile> written = new ArrayList<>();
        for (Map.Entry<String, MemoryClass> type : classes.entrySet()) {
            written.add(new CompiledJob.ClassFile(
                    type.getKey(), type.getValue().ofJob, type.getValue().bytes.toByteArray()));
        }
        return new CompiledJob(read, written);
    }

    @Override
    public Iterable<JavaFileObject> list(
            Location location, String in, java.util.Set<JavaFileObject.Kind> kinds, boolean deep) throws IOException {
        Iterable<JavaFileObject> found = super.list(location, in, kinds, deep);
        if (location != StandardLocation.SOURCE_PATH) {
            return found;
        }
        List<JavaFileObject> own = new ArrayList<>();
        for (JavaFileObject file : found) {
            own.add(source(file));
        }
        return own;
    }

    @Override
    public @Nullable JavaFileObject getJavaFileForInput(Location location, String name, JavaFileObject.Kind kind)
            throws IOException {
        JavaFileObject found = super.getJavaFileForInput(location, name, kind);
        return found == null || location != StandardLocation.SOURCE_PATH ? found : source(found);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            Location location, String name, JavaFileObject.Kind kind, @Nullable FileObject origin) {
        MemoryClass made = new MemoryClass(name, kind, origin == job);
        classes.put(name, made);
        return made;
    }

    @Override
    public String inferBinaryName(Location location, JavaFileObject file) {
        return file instanceof SourceFile source
                ? source.binaryName(standard, location)
                : super.inferBinaryName(location, file);
    }

    @Override
    public boolean isSameFile(FileObject a, FileObject b) {
        return a.toUri().equals(b.toUri());
    }

    @Override
    public boolean contains(Location location, FileObject file) throws IOException {
        return !(file instanceof SourceFile) && super.contains(location, file);
    }

    private SourceFile source(JavaFileObject file) {
        return sources.computeIfAbsent(file.toUri().normalize(), uri -> new SourceFile(standard.asPath(file)));
    }

    private static final class SourceFile extends SimpleJavaFileObject {
        private final Path path;
        private byte @Nullable [] bytes;

        SourceFile(Path path) {
            super(path.toAbsolutePath().normalize().toUri(), Kind.SOURCE);
            this.path = path;
        }

        /** As the user sees it, for messages. */
        @Override
        public String getName() {
            return path.toString();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
            byte[] read = bytes == null ? Files.readAllBytes(path) : bytes;
            bytes = read;
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read));
            } catch (CharacterCodingException e) {
                throw new IOException(path + " is not UTF-8", e);
            }
        }

        String binaryName(StandardJavaFileManager standard, Location location) {
            JavaFileObject plain = standard.getJavaFileObjects(path).iterator().next();
            String name = standard.inferBinaryName(location, plain);
            return name == null ? path.getFileName().toString().replace(".java", "") : name;
        }
    }

    private static final class MemoryClass extends SimpleJavaFileObject {
        private final boolean ofJob;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        MemoryClass(String name, Kind kind, boolean ofJob) {
            super(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind);
            this.ofJob = ofJob;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }
}
