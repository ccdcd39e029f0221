// SPDX-License-Identifier: Apache-2.0
/** A small HTTP server that answers reads, and does what it may be told, only for those whom that is meant for. */
@NullMarked
package io.thalweg.web.server;

import org.jspecify.annotations.NullMarked;
