// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.io.Serializable;

/**
 * Late records that were about equally late.
 *
 * @param upToMs at most so many milliseconds, and at most an eighth less
 * @param records how many
 */
public record LateBy(long upToMs, long records) implements Serializable {}
