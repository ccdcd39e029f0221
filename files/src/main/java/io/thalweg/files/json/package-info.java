// SPDX-License-Identifier: Apache-2.0
/**
 * JSON to records and back: {@link io.thalweg.files.json.JsonReader} and {@link io.thalweg.files.json.JsonFormat}. Reading takes
 * a cursor over bytes ({@code JsonInput}), the values it can read ({@code ValueReader}), and one reader for each record class,
 * generated ({@code RecordReaderGenerator}) or plain ({@code PlainRecordReader}).
 */
@NullMarked
package io.thalweg.files.json;

import org.jspecify.annotations.NullMarked;
