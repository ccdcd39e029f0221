// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.nio.charset.StandardCharsets;

/**
 * The lines of bad mode: none is a record, whatever a reader makes of fields that are missing. None leaves a quote open in
 * CSV, which would swallow the good line after it.
 */
final class MalformedLines {
    private static final byte[][] JSON = {
        latin1("{\"time\":1735689600000,\"cell\":{\"cellId\":\"c1\""),
        latin1("not json"),
        latin1("{\"time\":\"yesterday\"}"),
        latin1("{\"time\":99999999999999999999}"),
        latin1("[1735689600000]"),
        latin1("{\"time\":1735689600000,}"),
        latin1("{\"time\":1735689600000,\"cell\":{\"cellId\":\"\u00ff\u00fe\"}}"),
        latin1("{\"time\":1735689600000,\"cell\":\"c1\"}"),
    };

    private static final byte[][] CSV = {
        latin1("1735689600000,c1,site-00001"),
        latin1("no field but this"),
        latin1("yesterday" + ",".repeat(82)),
        latin1("99999999999999999999" + ",".repeat(82)),
        latin1("1735689600000" + ",".repeat(90)),
        latin1("1735689600000,\u00ff\u00fe" + ",".repeat(81)),
    };

    private MalformedLines() {}

    /** The n-th malformed line of a run, from 0. */
    static byte[] line(LineFormat format, long n) {
        byte[][] lines = format == LineFormat.JSON ? JSON : CSV;
        return lines[(int) (n % lines.length)].clone();
    }

    static int count(LineFormat format) {
        return format == LineFormat.JSON ? JSON.length : CSV.length;
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
