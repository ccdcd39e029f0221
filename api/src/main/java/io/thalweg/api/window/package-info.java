// SPDX-License-Identifier: Apache-2.0
/**
 * Windows, and their results. {@link io.thalweg.api.window.Windows} makes them; a {@link io.thalweg.api.window.WindowResult} is the
 * result for one key and window.
 *
 * <p>Times are milliseconds since 1970-01-01 UTC. A window includes its start and excludes its end.
 */
@NullMarked
package io.thalweg.api.window;

import org.jspecify.annotations.NullMarked;
