// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.ConnectorException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the splits that share the records.
 *
 * @param number from 0
 * @param of how many there are
 */
record TelecomSplit(int number, int of) {
    private static final Pattern NAME = Pattern.compile("part ([1-9][0-9]{0,5}) of ([1-9][0-9]{0,5})");

    String name() {
        return "part " + (number + 1) + " of " + of;
    }

    static TelecomSplit named(String name) {
        Matcher matcher = NAME.matcher(name);
        if (matcher.matches()) {
            TelecomSplit split =
                    new TelecomSplit(Integer.parseInt(matcher.group(1)) - 1, Integer.parseInt(matcher.group(2)));
            if (split.number < split.of) {
                return split;
            }
        }
        throw new ConnectorException("the telecom source has no split '" + name + "'");
    }
}
