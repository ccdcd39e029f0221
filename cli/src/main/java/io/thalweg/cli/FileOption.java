// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file to be written. {@code pages/} is none: a {@code Path} forgets the slash, and would be a file of that name. */
final class FileOption implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
        try {
            Path path = Path.of(text);
            if (isMissingDirectory(text)) {
                throw new TypeConversionException(missing(text));
            }
            return path;
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is no name of a file");
        }
    }

    static boolean isMissingDirectory(String text) {
        return text.endsWith("/") && !Files.isDirectory(Path.of(text));
    }

    static String missing(String text) {
        return "there is no directory " + text + "; make it, or leave out the / to write a file";
    }
}
