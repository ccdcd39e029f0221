// SPDX-License-Identifier: Apache-2.0
/** {@code thalweg kafka}: a trial broker, and topics from the shell. */
@NullMarked
package io.thalweg.cli.kafka;

import org.jspecify.annotations.NullMarked;
