// SPDX-License-Identifier: Apache-2.0
/** A small HTTP server that answers reads, and only to those whom they are meant for. */
@NullMarked
package io.thalweg.web.server;

import org.jspecify.annotations.NullMarked;
