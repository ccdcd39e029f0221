// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A terminal as far as we use one: what somebody would see who looks at it now. */
final class Screen extends OutputStream {
    private final List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    private int row;
    private int column;
    private StringBuilder escape;
    private int writes;

    @Override
    public void write(byte[] bytes, int offset, int length) {
        writes++;
        for (char c : new String(bytes, offset, length, StandardCharsets.UTF_8).toCharArray()) {
            take(c);
        }
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    /** The lines with something on them. */
    List<String> seen() {
        return lines.stream()
                .map(line -> line.toString().stripTrailing())
                .filter(line -> !line.isEmpty())
                .collect(Collectors.toList());
    }

    int writes() {
        return writes;
    }

    private void take(char c) {
        if (escape != null) {
            escape.append(c);
            if (Character.isLetter(c)) {
                obey(escape.toString());
                escape = null;
            }
        } else if (c == '\u001b') {
            escape = new StringBuilder();
        } else if (c == '\r') {
            column = 0;
        } else if (c == '\n') {
            row++;
            column = 0;
            if (row == lines.size()) {
                lines.add(new StringBuilder());
            }
        } else {
            StringBuilder line = lines.get(row);
            while (line.length() <= column) {
                line.append(' ');
            }
            line.setCharAt(column++, c);
        }
    }

    private void obey(String sequence) {
        switch (sequence.charAt(sequence.length() - 1)) {
            case 'K' -> cutLine();
            case 'J' -> {
                cutLine();
                while (lines.size() > row + 1) {
                    lines.remove(lines.size() - 1);
                }
            }
            case 'A' -> row -= Integer.parseInt(sequence.substring(1, sequence.length() - 1));
            case 'm', 'h', 'l' -> {} // colours, and whether long lines break: nothing to see here
            default -> throw new AssertionError("a terminal may not know " + sequence);
        }
    }

    private void cutLine() {
        StringBuilder line = lines.get(row);
        line.setLength(Math.min(line.length(), column));
    }
}
