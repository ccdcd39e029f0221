// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.codec.ByteReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Holds what a checkpoint says of files against those that are there. */
public final class SavedFiles {
    private static final Pattern FILE = Pattern.compile("\\.(.+)\\." + Temporaries.RANDOM + "\\.tmp", Pattern.DOTALL);

    private static final Pattern PART =
            Pattern.compile("\\.(part-([0-9]{5,9})-[0-9]{6,18})-" + Temporaries.RANDOM + "(\\..*)");

    private SavedFiles() {}

    /**
     * What is wrong with the files that a sink counts on, a line each; empty if nothing is, or if the sink writes no files. They
     * are looked for where they were written, and read whole.
     *
     * @param saved what a writer gave in {@link io.thalweg.api.connector.CheckpointedWriter#save}
     */
    public static List<String> problems(byte[] saved) throws IOException {
        try {
            ByteReader in = new ByteReader(saved);
            String head = in.readText();
            if (head.equals(TextOutput.HEAD)) {
                return in.remaining() == 0 ? List.of() : ofFile(in);
            }
            return head.equals(PartsWriter.HEAD) ? ofParts(in) : List.of();
        } catch (RuntimeException e) {
            return List.of(); // bytes of another sink
        }
    }

    private static List<String> ofFile(ByteReader in) throws IOException {
        Path hidden = resolve(in.readText(), in.readText());
        boolean whole = in.readBoolean();
        Fingerprint print = Fingerprint.read(in);
        Matcher matcher = FILE.matcher(String.valueOf(hidden.getFileName()));
        Path place = matcher.matches() ? hidden.resolveSibling(matcher.group(1)) : hidden;
        if (Fingerprint.isThere(hidden, LinkOption.NOFOLLOW_LINKS)) {
            return print.begins(hidden) ? List.of() : List.of(hidden + " is not what was saved");
        }
        if (Fingerprint.isThere(place, LinkOption.NOFOLLOW_LINKS)) {
            return (whole ? print.isOf(place) : print.begins(place))
                    ? List.of()
                    : List.of(place + " is not what was saved");
        }
        return List.of(hidden + " is missing, and so is " + place);
    }

    private static Path resolve(String name, String directory) {
        return Path.of(directory).resolve(String.valueOf(Path.of(name).getFileName()));
    }

    private static List<String> ofParts(ByteReader in) throws IOException {
        List<String> problems = new ArrayList<>();
        in.readText(); // the run that began the output
        String directory = in.readText();
        long task = in.readVarLong();
        in.readVarLong(); // its parallelism
        while (in.remaining() > 0) {
            long checkpoint = in.readVarLong();
            Path hidden = resolve(in.readText(), directory);
            Fingerprint print = Fingerprint.read(in);
            Matcher matcher = PART.matcher(String.valueOf(hidden.getFileName()));
            if (!matcher.matches()) {
                problems.add(hidden + " is not the name of a part");
                continue;
            }
            Path place = hidden.resolveSibling(matcher.group(1) + matcher.group(3));
            PartNames names = new PartNames(Path.of(directory), matcher.group(3));
            if (Fingerprint.isThere(hidden, LinkOption.NOFOLLOW_LINKS)) {
                if (!print.isOf(hidden)) {
                    problems.add(hidden + " is not what was saved");
                }
            } else if (Fingerprint.isThere(place, LinkOption.NOFOLLOW_LINKS)) {
                if (!print.isOf(place)) {
                    problems.add(place + " is not what was saved");
                }
            } else if (!Files.isDirectory(names.directory()) || checkpoint > names.shownUpTo(task)) {
                problems.add(hidden + " is missing, and was never published as " + place.getFileName());
            }
        }
        return problems;
    }
}
