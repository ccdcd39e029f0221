// SPDX-License-Identifier: Apache-2.0
/** Record classes and Avro's schemas: which field fits which component, for files and for messages. */
@NullMarked
package io.thalweg.avro.binding;

import org.jspecify.annotations.NullMarked;
