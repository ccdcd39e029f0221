// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The process's own standard output, which remembers why it could not be written: a {@code PrintStream} only knows that. */
public final class StandardOutput extends OutputStream {
    private static final StandardOutput PROCESS = new StandardOutput(new FileOutputStream(FileDescriptor.out));

    private final OutputStream out;
    private volatile @Nullable IOException failure;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    /** That of the process, for all who write there. */
    public static StandardOutput ofProcess() {
        return PROCESS;
    }

    /** In the encoding that Java takes for it, as {@code System.out}. */
    public PrintStream printed() {
        String encoding = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        return new PrintStream(
                new BufferedOutputStream(this),
                true,
                encoding == null ? Charset.defaultCharset() : Charset.forName(encoding));
    }

    /** Why something is missing there that its reader waits for; null if nothing is, or the reader has gone, as {@code head} does. */
    public @Nullable String loss() {
        IOException lost = failure;
        String why = lost == null ? "" : String.valueOf(lost.getMessage());
        return why.isEmpty() || why.toLowerCase(Locale.ROOT).contains("pipe") ? null : why;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
