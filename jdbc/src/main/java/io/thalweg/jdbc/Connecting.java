// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Secret;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a task reaches the database. What is secret in it appears in no message.
 *
 * @param patience how long the database may be away
 */
@SuppressWarnings("serial") // the map is one of the JDK's
record Connecting(
        String url, @Nullable String user, @Nullable Secret password, Map<String, String> properties, Duration patience)
        implements Serializable {
    private static final Pattern SECRETS =
            Pattern.compile("(?i)[?&;](password|[a-z_.]*password|[a-z_.]*secret|[a-z_.]*token)=([^&;]*)");
    private static final Pattern USER_INFO = Pattern.compile("//([^/@?;]*)@");

    /** Also {@code jdbc:oracle:thin:USER/PASSWORD@HOST}, and passwords with a slash. */
    private static final Pattern USER = Pattern.compile("(jdbc:(?:[\\w+.-]++:)++)(//)?([^?;]+)@");

    private static final Pattern BUSY_TIMEOUT = Pattern.compile("[?&]busy_timeout=([0-9]{1,9})(?:&|$)");

    /** That of SQLite's driver. */
    private static final long DEFAULT_BUSY_TIMEOUT_MS = 3_000;

    /** For ever, in calculations with milliseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    static Connecting to(String url) {
        if (Dialect.of(url) == Dialect.POSTGRESQL && USER_INFO.matcher(url).find()) {
            throw new IllegalArgumentException("the URL of a PostgreSQL database cannot hold a user; write"
                    + " .user(…).password(Secret.environment(…)) instead, or behind the question mark ?user=…");
        }
        if (!url.startsWith("jdbc:")) {
            throw new IllegalArgumentException(
                    "the URL of a database begins with jdbc:, as in jdbc:postgresql://localhost/db; this one does not: "
                            + url.replaceAll("//.*@", "//"));
        }
        return new Connecting(url, null, null, Map.of(), Duration.ofMinutes(1));
    }

    Connecting withUser(String name) {
        return new Connecting(url, name, password, properties, patience);
    }

    Connecting withPassword(Secret secret) {
        return new Connecting(url, user, secret, properties, patience);
    }

    Connecting with(String name, String value) {
        Map<String, String> more = new HashMap<>(properties);
        more.put(name, value);
        return new Connecting(url, user, password, Map.copyOf(more), patience);
    }

    Connecting withPatience(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a database cannot be waited for " + atMost);
        }
        return new Connecting(url, user, password, properties, inMs(atMost));
    }

    /** Or the longest that can be counted in milliseconds: users say for ever by the longest of all durations. */
    static Duration inMs(Duration atMost) {
        return atMost.compareTo(LONGEST) > 0 ? LONGEST : atMost;
    }

    Dialect dialect() {
        return Dialect.of(url);
    }

    /** The URL without its parameters, which may hold a password. */
    String place() {
        String plain = USER_INFO.matcher(url).replaceFirst("//");
        int end = plain.length();
        for (char begin : new char[] {'?', ';'}) {
            int at = plain.indexOf(begin);
            end = at < 0 ? end : Math.min(end, at);
        }
        plain = plain.substring(0, end);
        Matcher user = USER.matcher(plain);
        boolean named = !isFile() && user.lookingAt();
        return named ? user.group(1) + (user.group(2) == null ? "@" : "//") + plain.substring(user.end()) : plain;
    }

    /** A library of this process has it; its name may hold an @, too. */
    boolean isFile() {
        return dialect() == Dialect.SQLITE || dialect() == Dialect.DUCKDB;
    }

    /** How long the driver itself waits for a lock, in each try; 0 if that is not known. */
    long lockWaitMs() {
        if (dialect() != Dialect.SQLITE) {
            return 0;
        }
        Matcher inUrl = BUSY_TIMEOUT.matcher(url);
        String set = properties.getOrDefault("busy_timeout", inUrl.find() ? inUrl.group(1) : "");
        return set.matches("[0-9]{1,9}") ? Long.parseLong(set) : DEFAULT_BUSY_TIMEOUT_MS;
    }

    /** A text in which a driver may quote what is secret, without that. */
    String withoutSecrets(String text) {
        String hidden = text;
        for (String secret : secrets()) {
            hidden = secret.isEmpty() ? hidden : hidden.replace(secret, "(hidden)");
        }
        return hidden;
    }

    private static String passwordOf(String userInfo) {
        return userInfo.replaceFirst("[^:/]*[:/]?", "");
    }

    private List<String> secrets() {
        List<String> all = new ArrayList<>();
        Matcher inUrl = SECRETS.matcher(url);
        while (inUrl.find()) {
            all.add(inUrl.group(2));
        }
        Matcher user = USER.matcher(url);
        if (!isFile() && user.lookingAt()) {
            all.add(passwordOf(user.group(3)));
        }
        Matcher userInfo = USER_INFO.matcher(url);
        if (userInfo.find()) {
            all.add(passwordOf(userInfo.group(1)));
        }
        properties.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.contains("password") || lower.contains("secret") || lower.contains("token")) {
                all.add(value);
            }
        });
        try {
            all.add(password == null ? "" : password.read());
        } catch (ConnectorException e) {
            // then nobody can quote it either
        }
        return all;
    }

    /** @param near a class of the job, whose libraries may hold the driver */
    Connection open(Class<?> near) throws SQLException {
        Properties all = new Properties();
        if (dialect() == Dialect.POSTGRESQL) {
            all.put("connectTimeout", "10");
            all.put("socketTimeout", "120"); // a server that hangs is one that is lost
        }
        all.putAll(properties);
        if (user != null) {
            all.put("user", user);
        }
        if (password != null) {
            all.put("password", password.read());
        }
        Connection opened = driver(near).connect(url, all);
        if (opened == null) {
            throw new ConnectorException("the driver does not accept " + place());
        }
        return opened;
    }

    /** Not by DriverManager: that does not see drivers that a job brings along. */
    private Driver driver(Class<?> near) throws SQLException {
        List<@Nullable ClassLoader> loaders = new ArrayList<>();
        loaders.add(near.getClassLoader());
        loaders.add(Thread.currentThread().getContextClassLoader());
        loaders.add(Connecting.class.getClassLoader());
        for (ClassLoader loader : loaders) {
            for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            }
        }
        throw new ConnectorException("no JDBC driver for " + place() + " is there; add //DEPS "
                + dialect().driver() + " to the job, or to the dependencies of your build");
    }

    @Override
    public String toString() {
        return place();
    }
}
